// Writes spec/CHANGELOG.md from the changes between the versions of the document in spec/releases and the present one.
// A breaking change without a new major version is an error.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseDocument } from 'exact-openapi'
import { modelOf } from 'exact-openapi/model'
import { type Change, describeChanges } from './describe-changes.ts'

const redocly = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url))
const page = 'spec/CHANGELOG.md'
const present = 'spec/openapi.yaml'

function diff(cwd: string, base: string, revision: string): { bump: string; changes: Change[] } {
  const args = [redocly, 'diff', base, revision, '--format=json', '--fail-on=none']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const majorOf = (version: string) => Number.parseInt(version, 10)

/** The page by its path in the project at a folder, and what is wrong with the documents. */
export async function writeChangelog(root: string): Promise<{ files: Record<string, string>; errors: string[] }> {
  const read = (file: string) => modelOf(parseDocument(readFileSync(`${root}/${file}`, 'utf8'), file))
  const operationsIn = (file: string) => read(file).operations.map(({ method, path }) => `${method} ${path}`)

  const releases = (await readdir(`${root}/spec/releases`).catch((): string[] => [])) // none until the first tag
    .map((file) => file.replace(/\.yaml$/, ''))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const { info } = read(present)
  const isReleased = releases.includes(info.version)

  const errors: string[] = []
  const sections: string[] = []
  for (const [i, older] of releases.entries()) {
    const newer = releases[i + 1] ?? info.version
    const revision = releases[i + 1] ? `spec/releases/${newer}.yaml` : present
    const { bump, changes } = diff(root, `spec/releases/${older}.yaml`, revision)
    const isBreaking = bump === 'major'
    if (isBreaking && majorOf(newer) <= majorOf(older)) {
      errors.push(`${revision} breaks clients of ${older}: it needs a new major version in info.version.`)
    }
    const former = operationsIn(`spec/releases/${older}.yaml`)
    const operations = operationsIn(revision).filter((operation) => former.includes(operation))
    const list = describeChanges(changes, operations)
    if (revision === present && isReleased && !list) continue
    const title = revision === present && isReleased ? 'Unreleased' : newer
    const verdict = isBreaking ? `Breaks clients of ${older}.` : `Compatible with ${older}.`
    sections.unshift(`## ${title}\n\n${verdict}\n\n${list || 'The wording has changed, and nothing else.'}\n`)
  }

  const text = `# Changelog of the API

What has changed for clients, from version to version.

${sections.map((section) => `${section}\n`).join('')}## ${releases[0] ?? info.version}

The first version${releases[0] ? '' : ', not released yet'}.
`
  return { files: { [page]: text }, errors }
}
