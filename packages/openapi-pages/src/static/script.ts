// ES modules as one script, so that a page carries all of them.

/**
 * A module runs when it is first imported. There must be no cycles, and each `import` and `export` must begin a line.
 * @param modules by their file names, of which the first runs
 */
export function scriptOf(entry: string, modules: ReadonlyMap<string, string>): string {
  const names = new Set([entry])
  for (const name of names) for (const other of importedBy(sourceOf(name, modules))) names.add(other)
  const functions = [...names].map((name) => `${JSON.stringify(name)}() {\n${linked(sourceOf(name, modules))}}`)
  return `const $modules = {\n${functions.join(',\n')}\n}
const $known = {}
const $import = (name) => ($known[name] ??= $modules[name]())
$import(${JSON.stringify(entry)})
`
}

/** Without comments of lines and types, and without what would end the element. */
function sourceOf(name: string, modules: ReadonlyMap<string, string>): string {
  const text = modules.get(name)
  if (text === undefined) throw new Error(`no script is called ${name}`)
  return text
    .replace(/^[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*\n|\/\*\* @\w+ .*?\*\/ ?|^[ \t]*\/\/ .*\n/gm, '')
    .replace(/<(?=!--|\/?script)/gi, '\\x3c')
}

const importedBy = (source: string) =>
  Array.from(source.matchAll(/^(?:import|export) .* from '\.\/(.+)'$/gm), ([, name]) => String(name))

/** The body of a function that returns what the module exports. */
function linked(source: string): string {
  const exported: string[] = []
  const body = source
    .replace(/^import (\w+) from '\.\/(.+)'$/gm, "const { default: $1 } = $import('$2')")
    .replace(/^import \{ (.+) \} from '\.\/(.+)'$/gm, "const { $1 } = $import('$2')")
    .replace(/^export \{ (.+) \} from '\.\/(.+)'$/gm, (_, names, from) => {
      exported.push(names)
      return `const { ${names} } = $import('${from}')`
    })
    .replace(/^export \{ (\w+) as default \};?$/gm, (_, name) => {
      exported.push(`default: ${name}`)
      return ''
    })
    .replace(/^export ((?:async )?(?:function\*?|class|const) (\w+))/gm, (_, declaration, name) => {
      exported.push(name)
      return declaration
    })
  return `${body}\nreturn { ${exported.join(', ')} }\n`
}
