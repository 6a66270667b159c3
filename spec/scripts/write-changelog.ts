// Writes spec/CHANGELOG.md from the changes between the versions of the document in spec/releases and the present one;
// with --check, compares instead. Either way, a breaking change without a new major version fails.
import { spawnSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { loadDocument } from '../document.ts'
import { modelOf } from '../model/index.ts'
import { type Change, describeChanges } from './describe-changes.ts'

const redocly = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url))
const page = 'spec/CHANGELOG.md'
const present = 'spec/openapi.yaml'

const read = (file: string) => modelOf(loadDocument(pathToFileURL(file)))
const operationsIn = (file: string) => read(file).operations.map(({ method, path }) => `${method} ${path}`)

function diff(base: string, revision: string): { bump: string; changes: Change[] } {
  const args = [redocly, 'diff', base, revision, '--format=json', '--fail-on=none']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const majorOf = (version: string) => Number.parseInt(version, 10)

const releases = (await readdir('spec/releases'))
  .map((file) => file.replace(/\.yaml$/, ''))
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
const { info } = read(present)
const isReleased = releases.includes(info.version)

const sections: string[] = []
for (const [i, older] of releases.entries()) {
  const newer = releases[i + 1] ?? info.version
  const revision = releases[i + 1] ? `spec/releases/${newer}.yaml` : present
  const { bump, changes } = diff(`spec/releases/${older}.yaml`, revision)
  const isBreaking = bump === 'major'
  if (isBreaking && majorOf(newer) <= majorOf(older)) {
    console.error(`${revision} breaks clients of ${older}: it needs a new major version in info.version.`)
    process.exitCode = 1
  }
  const former = operationsIn(`spec/releases/${older}.yaml`)
  const operations = operationsIn(revision).filter((one) => former.includes(one))
  const list = describeChanges(changes, operations)
  if (revision === present && isReleased && !list) continue
  const title = revision === present && isReleased ? 'Unreleased' : newer
  const verdict = isBreaking ? `Breaks clients of ${older}.` : `Compatible with ${older}.`
  sections.unshift(`## ${title}\n\n${verdict}\n\n${list || 'The wording has changed, and nothing else.'}\n`)
}

const wanted = `# Changelog of the API

What has changed for clients, from version to version.

${sections.join('\n')}
## ${releases[0]}

The first version.
`
if (!process.argv.includes('--check')) {
  await writeFile(page, wanted)
} else if ((await readFile(page, 'utf8').catch(() => '')) !== wanted) {
  console.error(`${page} does not match the versions of the document: run "npm run changelog" and commit the result.`)
  process.exitCode = 1
}
