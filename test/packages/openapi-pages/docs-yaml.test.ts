// The document as YAML means the same to readers of YAML 1.1, such as PyYAML, and of YAML 1.2.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { dashboardDocument } from '../../../domains/api/index.ts'
import { build, changed } from '../../fixtures/app.ts'

const versions = ['1.1', '1.2'] as const
/** Without quotes, each would not be a string in one version or the other. */
const ambiguous =
  '2027-12-31 2027-12-31T00:00:00Z yes No on OFF y N 012 0o14 0x1F 0b11 1_000 190:20:30 1:30 1e3 .5 .inf .NaN null ~ <<'

t.test('/openapi.yaml is /openapi.json to every reader, whatever its strings look like', async (t) => {
  const strings = ambiguous.split(' ')
  const document = changed((document) => {
    Object.assign(document.info, { 'x-list': strings, 'x-map': Object.fromEntries(strings.map((key) => [key, key])) })
  })
  for (const app of [await build(t), await build(t, { document })]) {
    const [yaml, json] = [await app.inject({ url: '/openapi.yaml' }), await app.inject({ url: '/openapi.json' })]
    for (const version of versions) t.strictSame(parse(yaml.body, { version }), json.json(), version)
  }
})

t.test('the files do, too', async (t) => {
  for (const file of [new URL('../../../spec/openapi.yaml', import.meta.url), dashboardDocument]) {
    const text = readFileSync(file, 'utf8')
    t.strictSame(parse(text, { version: '1.1' }), parse(text), file.pathname)
  }
})
