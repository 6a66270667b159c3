// Installs a runner once: into a folder of the cache, again when the file that pins its versions changes. Those of npm are in
// package.json and package-lock.json, those of PyPI in requirements.txt.
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { run } from './command.ts'
import { cache, here, reports } from './folders.ts'

/** Runners that run at once may share a folder. */
const installing = new Map<string, Promise<string>>()

/**
 * @param name of the folder
 * @param manifest the file with the versions
 * @param make fills the folder
 * @returns the folder, with a slash
 */
export function installed(name: string, manifest: string, make: (folder: string) => Promise<void>): Promise<string> {
  const started = installing.get(name) ?? install(name, manifest, make)
  installing.set(name, started)
  return started
}

async function install(name: string, manifest: string, make: (folder: string) => Promise<void>) {
  const folder = `${cache}${name}/`
  const stamp = `${cache}${name}.installed`
  if (contentOf(stamp) === contentOf(manifest)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await make(folder)
  cpSync(manifest, stamp)
  return folder
}

function contentOf(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync(`${here}package.json`, 'utf8'))

export const versionOf = (name: string) => String(manifest.dependencies[name])

/** @returns the folder of the packages, with a slash */
export async function packages(): Promise<string> {
  const folder = await installed('npm', `${here}package-lock.json`, async (folder) => {
    for (const name of ['package.json', 'package-lock.json']) cpSync(`${here}${name}`, `${folder}${name}`)
    const log = `${reports}npm.log`
    const code = await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, log })
    if (code !== 0) throw new Error(`npm ci failed, see ${log}`)
  })
  return `${folder}node_modules/`
}

const requirements = `${here}requirements.txt`

export const pythonVersionOf = (name: string) =>
  String(new RegExp(`^${name}==(\\S+)`, 'm').exec(readFileSync(requirements, 'utf8'))?.[1])

/** @returns the folder of the programs, with a slash */
export async function programs(): Promise<string> {
  return `${await installed('python', requirements, makeVenv)}bin/`
}

async function makeVenv(venv: string) {
  const log = `${reports}python.log`
  if ((await run('python3', ['-m', 'venv', venv], { log })) !== 0)
    throw new Error(`python3 -m venv failed, see ${log}. On Debian: apt-get install python3-venv`)
  const code = await run(`${venv}bin/pip`, ['install', '--disable-pip-version-check', '-r', requirements], { log })
  if (code !== 0) throw new Error(`pip install failed, see ${log}`)
}
