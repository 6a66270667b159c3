import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))
const yaml = readFileSync(`${root}spec/openapi.yaml`, 'utf8')
const types = readFileSync(`${root}spec/openapi.d.ts`, 'utf8')

function generate(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}spec/generate-types.js`, ...args], {
    cwd,
    encoding: 'utf8',
    env: { _TAPJS_PROCESSINFO_COVERAGE_: '0' }, // the script is no part of the server
  })
  return { status, stdout, stderr }
}

const silence = { status: 0, stdout: '', stderr: '' }
const complaint = {
  status: 1,
  stdout: '',
  stderr: 'spec/openapi.d.ts does not match spec/openapi.yaml: run "npm run types" and commit the result.\n',
}

const project = (t: Test, files: Record<string, string>) => t.testdir({ spec: files })
const changed = yaml.replace(/^ {8}petId:$/m, '        animalId:')

t.test('types that are not those of the document, or missing, are complained of and left', async (t) => {
  const dir = project(t, { 'openapi.yaml': changed, 'openapi.d.ts': types })
  t.strictSame(generate(dir, '--check'), complaint)
  t.equal(readFileSync(`${dir}/spec/openapi.d.ts`, 'utf8'), types)
  t.strictSame(generate(project(t, { 'openapi.yaml': yaml }), '--check'), complaint)
})

t.test('types are written from the document, with int64 as bigint', async (t) => {
  const dir = project(t, { 'openapi.yaml': changed, 'openapi.d.ts': types })
  t.strictSame(generate(dir), silence)
  t.equal(readFileSync(`${dir}/spec/openapi.d.ts`, 'utf8'), types.replace('petId?: bigint', 'animalId?: bigint'))
})

t.test('an open set is the union of its known values', async (t) => {
  const small =
    'openapi: 3.0.3\ninfo: { title: Small, version: 1.0.0 }\npaths: {}\n' +
    'components:\n  schemas:\n    Code:\n      type: string\n      x-extensible-enum: [a, b]\n'
  const dir = project(t, { 'small.yaml': small })
  t.strictSame(generate(dir), silence)
  t.match(readFileSync(`${dir}/spec/small.d.ts`, 'utf8'), 'Code: "a" | "b";')
})

t.test('every document has its own types', async (t) => {
  const small = 'openapi: 3.0.3\ninfo: { title: Small, version: 1.0.0 }\npaths: {}\n'
  const dir = project(t, { 'openapi.yaml': yaml, 'small.yaml': small })
  t.strictSame(generate(dir), silence)
  t.equal(readFileSync(`${dir}/spec/openapi.d.ts`, 'utf8'), types)
  t.match(readFileSync(`${dir}/spec/small.d.ts`, 'utf8'), /^\/\/ Generated from small\.yaml by `npm run types`/)
  t.strictSame(generate(dir, '--check'), silence)

  writeFileSync(`${dir}/spec/openapi.yaml`, changed)
  t.strictSame(generate(dir, '--check'), complaint)
})
