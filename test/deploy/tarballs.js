// Packs and installs two versions as docs/operating.md describes: the former one from the history, and this one.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** It moves the most: the domains. */
const MIGRATION = 'store/postgres/migrations/0007-domain-records.sql'

/**
 * @param {string} folder
 * @returns the folders of the installed versions
 */
export function installBoth(folder) {
  const commit = formerVersion()
  const checkout = join(folder, 'checkout')
  mkdirSync(checkout)
  execFileSync('tar', ['-x', '-C', checkout], { input: git('archive', commit) })
  symlinkSync(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'))
  npm(checkout, 'run', 'build')
  return { commit, former: install(folder, checkout, 'former'), present: install(folder, '.', 'present') }
}

/** The release before this commit or, until there is one, the version before the migration. */
function formerVersion() {
  const releases = git('tag', '--merged=HEAD~1', '--list', 'v*', '--sort=-v:refname').toString().trim()
  if (releases) return String(releases.split('\n')[0])
  const added = git('log', '--diff-filter=A', '--format=%H', '--', MIGRATION).toString().trim()
  try {
    return git('rev-parse', '--verify', '--quiet', `${added.split('\n').at(-1)}^`)
      .toString()
      .trim()
  } catch {
    throw new Error(`the commit before ${MIGRATION} is missing: git fetch --unshallow`)
  }
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
  execFileSync('npm', [...args, '--silent'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
