// The changelog of the API, and the check that fails on a breaking change, on copies of the document.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const yaml = readFileSync(`${root}spec/openapi.yaml`, 'utf8')
const page = 'spec/CHANGELOG.md'

function run(cwd: string, ...args: string[]) {
  const script = [`--import=${root}test/fixtures/typescript.js`, `${root}spec/scripts/write-changelog.ts`]
  const { status, stderr } = spawnSync(process.execPath, [...script, ...args], {
    cwd,
    encoding: 'utf8',
    env: { _TAPJS_PROCESSINFO_COVERAGE_: '0' },
  })
  return { status, stderr }
}

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
const silence = { status: 0, stderr: '' }

t.test('a document equal to the last release has nothing unreleased', async (t) => {
  const dir = project(t, { '1.0.0': first }, first)
  t.strictSame(run(dir), silence)
  t.strictSame(readFileSync(`${dir}/${page}`, 'utf8').match(/^## .*$/gm), ['## 1.0.0'])
  t.strictSame(run(dir, '--check'), silence)
  writeFileSync(`${dir}/${page}`, 'old')
  const complaint = `${page} does not match the versions of the document: run "npm run changelog" and commit the result.\n`
  t.strictSame(run(dir, '--check'), { status: 1, stderr: complaint })
  t.equal(readFileSync(`${dir}/${page}`, 'utf8'), 'old')
})

t.test('a breaking change needs a new major version', async (t) => {
  const complaint = 'spec/openapi.yaml breaks clients of 1.0.0: it needs a new major version in info.version.\n'
  for (const version of ['1.0.0', '1.1.0']) {
    const dir = project(t, { '1.0.0': first }, versioned(withoutPets(yaml), version))
    t.strictSame(run(dir), { status: 1, stderr: complaint })
    const text = readFileSync(`${dir}/${page}`, 'utf8')
    t.match(text, version === '1.0.0' ? '\n## Unreleased\n\nBreaks clients of 1.0.0.\n' : '\n## 1.1.0\n')
    t.strictSame(run(dir, '--check'), { status: 1, stderr: complaint })
  }
  const dir = project(t, { '1.0.0': first }, versioned(withoutPets(yaml), '2.0.0'))
  t.strictSame(run(dir), silence)
  t.match(readFileSync(`${dir}/${page}`, 'utf8'), '## 2.0.0\n\nBreaks clients of 1.0.0.\n\n- **Breaking** in ')
})

t.test('releases are sorted by number, the newest first', async (t) => {
  const experimental = yaml.replace(
    '      operationId: listOrders\n',
    '      operationId: listOrders\n      x-stability: beta\n',
  )
  const versions = { '1.10.0': versioned(experimental, '1.10.0'), '1.9.0': first }
  const dir = project(
    t,
    versions,
    versioned(`${experimental}\n# Another wording.`, '1.11.0').replace('MIT', 'The MIT license'),
  )
  t.strictSame(run(dir), silence)
  const text = readFileSync(`${dir}/${page}`, 'utf8')
  t.strictSame(text.match(/^## .*$/gm), ['## 1.11.0', '## 1.10.0', '## 1.9.0'])
  t.match(text, '## 1.10.0\n\nCompatible with 1.9.0.\n\n- Changed in `GET /store/orders`: `x-stability`.\n')
  t.match(text, '## 1.11.0\n\nCompatible with 1.10.0.\n\nThe wording has changed, and nothing else.\n')
})

t.test('what a path says besides its operations is no operation', async (t) => {
  const plain = first.replace(/^ {6}x-stability: .*\n/gm, '')
  const described = plain.replace('  /pets/{petId}:\n', '  /pets/{petId}:\n    description: Pets.\n')
  const changed = described.replace(/^ {6}operationId: .*\n/gm, '$&      x-stability: beta\n')
  const dir = project(t, { '1.0.0': described }, changed)
  t.strictSame(run(dir), silence)
  t.match(readFileSync(`${dir}/${page}`, 'utf8'), '\n- Changed in every operation: `x-stability`.\n')
})
