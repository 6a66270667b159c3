// Packs and installs two versions as docs/operating.md describes: a release from the history, and this one.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** @returns the tag of the last release before this commit, if there is any */
export function lastRelease() {
  return git('tag', '--merged=HEAD~1', '--list', 'v*', '--sort=-v:refname').toString().split('\n')[0] || undefined
}

/**
 * @param {string} folder
 * @param {string} release
 * @returns the folders of the installed versions
 */
export function installBoth(folder, release) {
  const checkout = join(folder, 'checkout')
  mkdirSync(checkout)
  execFileSync('tar', ['-x', '-C', checkout], { input: git('archive', release) })
  symlinkSync(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'))
  npm(checkout, 'run', 'build')
  return { former: install(folder, checkout, 'former'), present: install(folder, '.', 'present') }
}

/** @param {string} folder @param {string} checkout which is built @param {string} name */
function install(folder, checkout, name) {
  const [packed, server] = [join(folder, `${name}-packed`), join(folder, name)]
  for (const path of [packed, server]) mkdirSync(path)
  npm(checkout, 'pack', '--pack-destination', packed)
  const tarball = join(packed, String(readdirSync(packed)[0]))
  execFileSync('tar', ['-xzf', tarball, '-C', server, '--strip-components=1'])
  npm(server, 'ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund')
  return server
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** @param {string} cwd @param {string[]} args */
function npm(cwd, ...args) {
  // Without the hooks of tap.
  const npm = ['-u', 'NODE_OPTIONS', 'npm', ...args, '--silent']
  execFileSync('env', npm, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
