// The runners that come from npm, as package.json and package-lock.json name them.
import { cpSync, readFileSync } from 'node:fs'
import { run } from './command.ts'
import { here, reports } from './folders.ts'
import { installed } from './install.ts'

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
