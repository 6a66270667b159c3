// The testers that docs/testers.md describes, with the lines of the page: each through `store-orders sandbox`.
import { readFileSync, symlinkSync } from 'node:fs'
import process from 'node:process'
import { run } from '../command.ts'
import { project } from '../folders.ts'
import { packages, programs, pythonVersionOf, versionOf } from '../install.ts'
import type { Runner } from '../types.ts'

const page = readFileSync(`${project}docs/testers.md`, 'utf8')

/**
 * What each prints of the checks that passed: their number, or a line for each. The rest of the page is for testers too large
 * to install, or from elsewhere.
 */
const passed: Record<string, RegExp> = {
  Schemathesis: /(\d+) generated/g,
  Dredd: /(\d+) passing/g,
  Prism: /has returned 200/g,
  'Portman and newman': /assertions │ +(\d+)/g,
  Pact: /has status code .*OK/g,
  Spectral: /No results with a severity/g,
  'openapi-core': /^(?:GET|DELETE) \S+ \d+$/gm,
}

/** The tested version stands in the first column of commands: `npm install dredd@14.1.0`. */
const installLine = (name: string) =>
  String(new RegExp(`^\\| \\[${name.split(' ')[0]}\\].*?\`(\\w+ install [^\`]+)\``, 'm').exec(page)?.[1])

const blockOf = (name: string) =>
  String(new RegExp(`^## ${name}\\n[^#]*?\`\`\`sh\\n([^]*?)\`\`\``, 'm').exec(page)?.[1])

/** @returns the packages of the line whose version is another than the installed one */
function otherVersions(line: string): string[] {
  const isPython = line.startsWith('pip')
  return line
    .split(' ')
    .slice(2)
    .filter((spec) => {
      const [, name = '', version] = (isPython ? /^(\S+)==(\S+)$/ : /^(.+)@(.+)$/).exec(spec) ?? []
      return version !== undefined && version !== (isPython ? pythonVersionOf(name) : versionOf(name))
    })
}

function testerOf(name: string, evidence: RegExp): Runner {
  const line = installLine(name)
  return {
    name: `page-${name.split(' ')[0]?.toLowerCase()}`,
    version: String(/[@=]([\d.]+)( |$)/.exec(line)?.[1]),
    needs: ['npm', 'python3', 'curl'],
    async run(folder) {
      const modules = await packages()
      const env = { PATH: `${await programs()}:${process.env.PATH}` }
      symlinkSync(modules, `${folder}node_modules`)
      const log = `${folder}output.log`
      const sandbox = [`${project}dist/cli/index.js`, 'sandbox', '--', 'sh', '-ec', blockOf(name)]
      const code = await run(process.execPath, sandbox, { cwd: folder, log, env })
      const found = [...readFileSync(log, 'utf8').matchAll(evidence)]
      const problems = [
        ...(code === 0 ? [] : [`the commands of the page end with ${code}`]),
        ...(found.length > 0 ? [] : [`it prints nothing like ${evidence}`]),
        ...otherVersions(line).map((spec) => `docs/testers.md installs ${spec}, which is not what runs here`),
      ]
      return { cases: Number(found.at(-1)?.[1] ?? found.length), failures: code === 0 ? 0 : 1, problems }
    },
  }
}

export const fromThePage: Runner[] = Object.entries(passed).map(([name, evidence]) => testerOf(name, evidence))
