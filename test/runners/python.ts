// The runners that come from PyPI, as requirements.txt names them.
import { readFileSync } from 'node:fs'
import { run } from './command.ts'
import { here, reports } from './folders.ts'
import { installed } from './install.ts'

const requirements = `${here}requirements.txt`

export const pythonVersionOf = (name: string) =>
  String(new RegExp(`^${name}==(\\S+)`, 'm').exec(readFileSync(requirements, 'utf8'))?.[1])

/** @returns the folder of the programs, with a slash */
export async function programs(): Promise<string> {
  return `${await installed('python', requirements, install)}bin/`
}

async function install(venv: string) {
  const log = `${reports}python.log`
  if ((await run('python3', ['-m', 'venv', venv], { log })) !== 0) {
    throw new Error(`python3 -m venv failed, see ${log}. On Debian: apt-get install python3-venv`)
  }
  const code = await run(`${venv}bin/pip`, ['install', '--disable-pip-version-check', '-r', requirements], { log })
  if (code !== 0) throw new Error(`pip install failed, see ${log}`)
}
