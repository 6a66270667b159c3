// How each language runs many samples in one process, as some take a second to start.
import process from 'node:process'

export interface Language {
  label: string
  /** The name of the file of a sample. */
  fileOf(at: number): string
  /** The sample as one of many, and as the installed compiler takes it. */
  written?(sample: string, at: number): string
  /** The files that run all, by their names. */
  around(files: readonly string[]): Readonly<Record<string, string>>
  command: readonly string[]
}

const shell = (command: string) => ['sh', '-c', command]
const lines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join('')
const shellScripts = {
  fileOf: (at: number) => `${at}.sh`,
  around: (files: readonly string[]) => ({ 'main.sh': lines(files.map((file) => `sh ${file}`)) }),
  command: ['sh', 'main.sh'],
}

/** Of the page. */
export const shown: readonly Language[] = [
  { label: 'curl', ...shellScripts },
  {
    label: 'JavaScript',
    fileOf: (at) => `${at}.mjs`,
    around: (files) => ({ 'main.mjs': lines(files.map((file) => `await import('./${file}').catch(console.error)`)) }),
    command: [process.execPath, 'main.mjs'],
  },
  {
    label: 'Python',
    fileOf: (at) => `${at}.py`,
    around: (files) => ({
      'main.py': `import runpy, traceback
for file in ${JSON.stringify(files)}:
    try:
        runpy.run_path(file)
    except BaseException:
        traceback.print_exc()
`,
    }),
    command: ['python3', 'main.py'],
  },
  {
    label: 'Go',
    fileOf: (at) => `sample${at}.go`,
    written: (sample, at) => sample.replace('func main() {', `func sample${at}() {`),
    around: (files) => ({
      'go.mod': 'module samples\n\ngo 1.21\n',
      'main.go': `package main\n\nfunc main() {\n${lines(files.map((file) => `\t${file.slice(0, -3)}()`))}}\n`,
    }),
    command: ['go', 'run', '.'],
  },
]

/** Of pages of their own. PowerShell has no package for Debian. */
export const more: readonly Language[] = [
  { label: 'curl for cmd.exe', ...shellScripts, written: asTyped },
  {
    label: 'PHP',
    fileOf: (at) => `${at}.php`,
    around: (files) => ({
      'main.php': `<?php\n${lines(files.map((file) => `try { include '${file}'; } catch (Throwable $error) { fwrite(STDERR, "$error\\n"); }`))}`,
    }),
    command: ['php', 'main.php'],
  },
  {
    label: 'Ruby',
    fileOf: (at) => `${at}.rb`,
    around: (files) => ({
      'main.rb': lines(
        files.map((file) => `begin; load './${file}'; rescue Exception => error; warn error.message; end`),
      ),
    }),
    command: ['ruby', 'main.rb'],
  },
  {
    label: 'Java',
    fileOf: (at) => `Example${at}.java`,
    written: (sample, at) => sample.replace('public class Example {', `public class Example${at} {`),
    around: (files) => ({
      'Main.java': `public class Main {
    public static void main(String[] args) {
${lines(files.map((file) => `        try { ${file.replace(/\..*/, '')}.main(args); } catch (Exception error) { error.printStackTrace(); }`))}    }
}
`,
    }),
    command: shell('javac *.java && java Main'),
  },
  {
    label: 'C#',
    fileOf: (at) => `Example${at}.cs`,
    written: asClass,
    around: (files) => ({
      'Main.cs': `class Program {
  static void Main() {
${lines(files.map((file) => `    try { ${file.replace(/\..*/, '')}.Run().GetAwaiter().GetResult(); } catch (System.Exception error) { System.Console.Error.WriteLine(error); }`))}  }
}
`,
    }),
    command: shell('mcs -nologo -r:System.Net.Http -out:main.exe *.cs && mono main.exe'),
  },
]

/** Mono knows C# 7: without top-level statements, using declarations, and the namespaces that .NET 6 imports. */
function asClass(sample: string, at: number): string {
  const [, imports = '', statements = ''] =
    /^((?:using [\w.]+;\n\n)?)(.*)$/s.exec(sample.replaceAll('using var', 'var')) ?? []
  return `using System; using System.IO; using System.Linq; using System.Net.Http; using System.Threading.Tasks; ${imports}
class Example${at} {
  public static async Task Run() {
${statements}  }
}
`
}

/** What cmd.exe runs, for another shell. */
function asTyped(sample: string): string {
  const variables: string[] = []
  const marked = sample.replace(/%(\w+)%/g, (_, name) => `\u{e000}${variables.push(name) - 1}\u{e001}`)
  const quoted = argumentsIn(marked).map((text) => `'${text.replaceAll("'", "'\\''")}'`)
  return `${quoted.join(' ').replace(/\u{e000}(\d+)\u{e001}/gu, (_, at) => `'"$${variables[at]}"'`)}\n`
}

/** What cmd.exe leaves at its prompt, split as programs split it ("Parsing C command-line arguments"). */
export function argumentsIn(command: string): string[] {
  const line = command.replace(/\^(\n\n|.)/gs, (_, taken) => (taken === '\n' ? '' : taken === '\n\n' ? '\n' : taken))
  const words = Array.from(line.trim().matchAll(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/gs), ([word]) => word)
  return words.map((word) =>
    word.replace(/(\\*)"/g, (_, { length }) => '\\'.repeat(length / 2) + (length % 2 ? '"' : '')),
  )
}
