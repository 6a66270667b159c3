// The changelog of the API, and the check that fails on a breaking change, on copies of the document.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { writeChangelog } from '../../../spec/scripts/write-changelog.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const yaml = readFileSync(`${root}spec/openapi.yaml`, 'utf8')
const page = 'spec/CHANGELOG.md'

/** A project with a release of each version, and the last document as the current one. */
function project(t: Test, versions: Record<string, string>, present: string): string {
  const releases = Object.entries(versions).map(([version, text]) => [`${version}.yaml`, text])
  return t.testdir({
    'redocly.yaml': readFileSync(`${root}redocly.yaml`, 'utf8'),
    spec: { releases: Object.fromEntries(releases), 'openapi.yaml': present },
  })
}

const versioned = (text: string, version: string) => text.replace(/^ {2}version: .*$/m, `  version: ${version}`)
const withoutPets = (text: string) => text.replace(/^ {2}\/pets\/\{petId\}:\n[\s\S]*?(?=^components:)/m, '')
const first = versioned(yaml, '1.0.0')

t.test('before the first release, the document is the first version', async (t) => {
  const dir = t.testdir({ spec: { 'openapi.yaml': first } })
  const { files, errors } = await writeChangelog(dir)
  t.strictSame(errors, [])
  t.match(files[page], /\n\n## 1\.0\.0\n\nThe first version, not released yet\.\n$/)
})

t.test('a document equal to the last release has nothing unreleased', async (t) => {
  const dir = project(t, { '1.0.0': first }, first)
  const { files, errors } = await writeChangelog(dir)
  t.strictSame(errors, [])
  t.strictSame(files[page]?.match(/^## .*$/gm), ['## 1.0.0'])
})

t.test('a breaking change needs a new major version', async (t) => {
  const error = 'spec/openapi.yaml breaks clients of 1.0.0: it needs a new major version in info.version.'
  for (const version of ['1.0.0', '1.1.0']) {
    const dir = project(t, { '1.0.0': first }, versioned(withoutPets(yaml), version))
    const { files, errors } = await writeChangelog(dir)
    t.strictSame(errors, [error])
    t.match(files[page], version === '1.0.0' ? '\n## Unreleased\n\nBreaks clients of 1.0.0.\n' : '\n## 1.1.0\n')
  }
  const { files, errors } = await writeChangelog(project(t, { '1.0.0': first }, versioned(withoutPets(yaml), '2.0.0')))
  t.strictSame(errors, [])
  t.match(files[page], '## 2.0.0\n\nBreaks clients of 1.0.0.\n\n- **Breaking** in ')
})

t.test('releases are sorted by number, the newest first', async (t) => {
  const experimental = yaml.replace(/^ +operationId: listOrders\n/m, '$&      x-stability: beta\n')
  const versions = { '1.10.0': versioned(experimental, '1.10.0'), '1.9.0': first }
  const reworded = versioned(`${experimental}\n# Another wording.`, '1.11.0').replace('MIT', 'The MIT license')
  const dir = project(t, versions, reworded)
  const { files, errors } = await writeChangelog(dir)
  t.strictSame(errors, [])
  const text = String(files[page])
  t.strictSame(text.match(/^## .*$/gm), ['## 1.11.0', '## 1.10.0', '## 1.9.0'])
  t.match(text, '## 1.10.0\n\nCompatible with 1.9.0.\n\n- Changed in `GET /store/orders`: `x-stability`.\n')
  t.match(text, '## 1.11.0\n\nCompatible with 1.10.0.\n\nThe wording has changed, and nothing else.\n')
})

t.test('a release that is no OpenAPI document is reported by Redocly', async (t) => {
  const dir = project(t, { '1.0.0': 'swagger: "1.0"\n' }, first)
  await t.rejects(writeChangelog(dir), { message: /nsupported/ })
})
