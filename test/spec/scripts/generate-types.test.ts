import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { parse } from 'yaml'
import { clientOf } from '../../../packages/client/scripts/generate.ts'
import { complete } from '../../../spec/scripts/complete-document.ts'
import { generateTypes } from '../../../spec/scripts/generate-types.ts'
import { update } from '../../lint/update.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const yaml = readFileSync(`${root}spec/openapi.yaml`, 'utf8')
const types = readFileSync(`${root}spec/openapi.d.ts`, 'utf8')

/** As `npm run types` does. @returns the errors */
const generate = async (folder: string, { isCheck = false } = {}) =>
  update(folder, 'types', await generateTypes(folder), isCheck)

const outdated = (name: string) => `spec/${name}.d.ts is not up to date: run "npm run types" and commit the result.`

const project = (t: Test, files: Record<string, string>) => t.testdir({ spec: files })
const changed = yaml.replace(/^ {8}petId:$/m, '        animalId:')

t.test('the types of each document are generated, and reported if they are outdated or missing', async (t) => {
  const small = 'openapi: 3.0.3\ninfo: { title: Small, version: 1.0.0 }\npaths: {}\n'
  const dir = project(t, { 'openapi.yaml': changed, 'openapi.d.ts': types, 'small.yaml': small })
  const read = (name: string) => readFileSync(`${dir}/spec/${name}.d.ts`, 'utf8')
  t.strictSame(await generate(dir, { isCheck: true }), ['openapi', 'small'].map(outdated))
  t.equal(read('openapi'), types, 'left unchanged')
  t.strictSame(await generate(dir), [])
  t.equal(read('openapi'), types.replace('petId?: bigint', 'animalId?: bigint'))
  t.match(read('small'), /^\/\/ Generated from small\.yaml by `npm run types`/)
  t.strictSame(await generate(dir, { isCheck: true }), [])
})

t.test('the last argument of a method is optional unless it has a required part', async (t) => {
  const method = (parameters: object[], more = {}) => {
    const get = { operationId: 'get', parameters, responses: { 204: { description: 'Done.' } }, ...more }
    return clientOf(documentOf({ '/a': { get } }))
  }
  const get = { operationId: 'get', responses: {} }
  t.match(clientOf(documentOf({ '/a/{report-id}': { get } })), 'get(reportId: PathOf<"get">["report-id"], options')
  const query = (required: boolean) => ({ in: 'query', name: 'q', required, schema: { type: 'string' } })
  const requestBody = { required: true, content: { 'application/json': {} } }
  t.match(method([query(false)]), 'get(options?: OptionsOf<"get">)')
  t.match(method([query(true)]), 'get(options: OptionsOf<"get">)')
  t.match(method([query(false)], { requestBody }), 'get(options: OptionsOf<"get", "application/json">)')
})

t.test('the client is generated from the document', async (t) => {
  const dir = t.testdir({ spec: { 'openapi.yaml': yaml, 'openapi.d.ts': types }, packages: { client: {} } })
  t.match(await generate(dir, { isCheck: true }), [/^packages\/client\/operations.ts is not up to date/])
  t.strictSame(await generate(dir), [])
  t.strictSame(await generate(dir, { isCheck: true }), [])
})

t.test('a method of the client resolves with the body of each success, whatever its schema', async (t) => {
  const order = { $ref: '#/components/schemas/Order' }
  const content = { 'application/json': { schema: { oneOf: [order, { type: 'array', items: order }] } } }
  const responses = { 200: { description: 'All.', content }, 202: { description: 'Later.' } }
  const post = { operationId: 'send', responses, requestBody: { $ref: '#/components/requestBodies/Any' } }
  const Order = { type: 'object', additionalProperties: order }
  const Big = { type: 'integer', format: 'int64', enum: [1n] }
  const components = { schemas: { Order, Big }, requestBodies: { Any: { content } } }
  const text = clientOf(documentOf({ '/orders': { post } }, components))
  t.match(text, 'send(options?: OptionsOf<"send", "application/json">): Promise<BodyOf<"send", 200 | 202>>')
  t.match(text, '"enum":["1"]')
  t.match(text, '"Order": {"type":"object","additionalProperties":{"$ref":"Order"}}')
})

t.test('only missing shared responses and common headers are added', async (t) => {
  const indent = ' '.repeat(10)
  const missing = yaml.replaceAll(/^ {8}"(401|405|503)":\n {10}\$ref: .*\n/gm, '')
  t.ok(missing.length < yaml.length)
  t.equal(complete(missing), yaml)
  const components = { 'RateLimit-Policy': 'RateLimitPolicy', RateLimit: 'RateLimit', 'X-Request-Id': 'RequestId' }
  const headers = Object.entries(components).map(([name, component]) => {
    return `${indent}  ${name}:\n${indent}    $ref: "#/components/headers/${component}"\n`
  })
  const first = `The order has been cancelled. No body.\n${indent}headers:\n${headers.join('')}`
  t.ok(yaml.includes(first))
  t.equal(complete(yaml.replace(first, 'The order has been cancelled. No body.\n')), yaml)
  t.equal(complete(yaml), yaml)
  const shared = /(?<=\n {10}\$ref: .*\n) {8}X-Request-Id:\n {10}\$ref: .*\n/g
  t.not(yaml.replace(shared, ''), yaml)
  t.equal(complete(yaml.replace(shared, '')), yaml, 'shared responses have the common headers, too')
  t.equal(complete('paths: {}\n'), 'paths: {}\n', 'there may be none')
})

/** What is completed in the document with one more path, given as YAML with the indentation of `paths`. */
function completed(path: string) {
  const text = complete(yaml.replace(/\ncomponents:\n/, (found) => `\n${path}${found.trimStart()}`))
  const { paths } = parse(text)
  return { paths, text }
}

t.test('an operation without security has no 401, a safe one no 403, and one without a body no 415', async (t) => {
  const responses = 'responses: { "204": { description: Done. } }'
  const { paths } = completed(`  /open: { post: { operationId: open, security: [], ${responses} } }
  /body: { post: { operationId: body, requestBody: { content: { application/json: {} } }, ${responses} } }
`)
  const statusesOf = (path: string) => Object.keys(paths[path].post.responses)
  const statuses = statusesOf('/open')
  t.ok(statuses.includes('405') && !['401', '403', '415'].some((status) => statuses.includes(status)))
  t.ok(['401', '403', '415'].every((status) => statusesOf('/body').includes(status)))
  t.notOk('403' in paths['/store/orders'].get.responses)
})

t.test('a response with headers of its own gets the common ones as well, in either style of YAML', async (t) => {
  const link = 'Link: { schema: { type: string } }'
  for (const responses of [
    `responses: { "200": { description: All., headers: { ${link} } } }`,
    `responses:\n        "200":\n          description: All.\n          headers:\n            ${link}`,
  ]) {
    const { paths, text } = completed(`  /all:\n    get:\n      operationId: all\n      ${responses}\n`)
    const { 200: own, ...others } = paths['/all'].get.responses
    t.strictSame(Object.keys(own.headers), ['Link', 'RateLimit-Policy', 'RateLimit', 'X-Request-Id'], responses)
    t.ok('405' in others && '503' in others, responses)
    t.equal(complete(text), text, responses)
  }
})

t.test('responses that are a YAML alias are rejected with the operation', async (t) => {
  const first = '  /one:\n    get: &get { operationId: one, responses: &own { "204": { description: Done. } } }\n'
  const other = '  /other:\n    get: { operationId: other, responses: *own }\n'
  const message = 'other needs responses of its own, as they are completed: not a YAML alias'
  t.throws(() => completed(first + other), { message })
  t.throws(() => completed(`${first}  /same:\n    get: *get\n`), { message: message.replace('other', 'one') })
  const nameless = other.replace('operationId: other, ', '')
  t.throws(() => completed(first + nameless), { message: message.replace('other', 'getOther') })
  const dir = project(t, { 'openapi.yaml': yaml.replace('\ncomponents:\n', `\n${first}${other}components:\n`) })
  t.strictSame(await generate(dir), [`spec/openapi.yaml: ${message}`])
})
