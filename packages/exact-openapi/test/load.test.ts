// Documents as files.
import { relative } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { messageOf } from 'test-kit/message'
import { loadDocument, parseDocument, problemsOf } from '../src/index.ts'
import { modelOf } from '../src/model/index.ts'

const json = (schema: object) => ({ 'application/json': { schema } })

type Folder = Record<string, string | Record<string, string>>

/** @param files beside the document `api.json` */
function load(t: Test, document: object, files: Folder = {}) {
  const whole = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, ...document })
  return loadDocument(pathToFileURL(`${t.testdir({ ...files, 'api.json': whole })}/api.json`))
}

t.test('integers keep their digits in YAML and in JSON', async (t) => {
  const digits = '[1, -5, 1e2, 0.1, 9007199254740993, -9007199254740993]'
  const values = [1, -5, 100, 0.1, 9007199254740993n, -9007199254740993n]
  t.strictSame(parseDocument(`{"a":${digits}}`, 'json'), { a: values })
  t.strictSame(parseDocument(`a: ${digits}`, 'yaml'), { a: values })
  t.strictSame(parseDocument(`{ a: ${digits} }`, 'yaml'), { a: values })
  t.strictSame(parseDocument('{"a":[0.10000000000000000001,0.5]}', 'json'), { a: [0.1, 0.5] })
  t.throws(() => parseDocument('{"a": 1', 'b.json'), { message: /^b\.json is not JSON: /, cause: { name: /Error$/ } })
})

t.test('files beside the document become components', async (t) => {
  const ref = ($ref: string) => ({ $ref })
  const pet = {
    type: 'object',
    additionalProperties: false,
    properties: {
      owner: ref('../people.yaml#/Person'),
      self: ref('#'),
      local: ref('../api.json#/components/schemas/Own'),
      anything: true,
      nothing: ref('../people.yaml#/Nothing'),
    },
    example: ref('no reference'),
  }
  const people = `
Person: { type: object, properties: { friends: { type: array, items: { $ref: '#/Person' } } } }
Nothing: false
Parameters: { Limit: { in: query, name: limit, schema: { $ref: 'schemas/Own.json' } } }
Problem: { description: Wrong., content: { application/json: { schema: { $ref: '#/Person' } } } }
`
  const found = { description: 'A pet.', content: json(ref('schemas/Pet.json')) }
  const gone = { ...ref('people.yaml#/Problem'), description: 'Gone.' }
  const item = {
    parameters: [ref('./people.yaml#/Parameters/Limit')],
    get: { operationId: 'ask', security: [], responses: { 200: found, 404: gone } },
  }
  const chosen = {
    oneOf: [ref('schemas/Pet.json'), ref('#/components/schemas/Own')],
    discriminator: { propertyName: 'kind', mapping: { pet: 'schemas/Pet.json', own: 'Own' } },
  }
  const document = load(
    t,
    {
      paths: { '/a': { ...ref('item.json'), summary: 'Beside.' } },
      components: { schemas: { Own: { type: 'string' }, Chosen: chosen } },
    },
    {
      'people.yaml': people,
      'item.json': JSON.stringify(item),
      schemas: { 'Pet.json': JSON.stringify(pet), 'Own.json': '{"type":"integer"}' },
    },
  )
  const { operations, schemas } = modelOf(document)
  t.strictSame([...schemas.keys()], ['Own', 'Chosen', 'Own2', 'Pet', 'Person', 'Nothing'])
  const parameters = [{ name: 'limit', schema: { type: 'integer' } }]
  const problem = { name: 'Problem', description: 'Gone.', media: [{ schema: { name: 'Person' } }] }
  t.match(operations, [
    { id: 'ask', summary: 'Beside.', parameters, responses: [{ media: [{ schema: { name: 'Pet' } }] }, problem] },
  ])
  const read = schemas.get('Pet')
  t.equal(read?.properties?.self, read)
  t.equal(read?.properties?.local, schemas.get('Own'))
  t.match(document, { components: { schemas: { Pet: { properties: { anything: true } }, Nothing: false } } })
  t.strictSame(read?.example, ref('no reference'))
  t.match(schemas.get('Chosen')?.discriminator?.choices, [{ values: ['pet'] }, { values: ['own'] }])
  t.strictSame(problemsOf(document).problems, [])
})

for (const $ref of ['#/components/%FF', 'none.json', 'b.json#/x', 'b.json#x', 'https://example.com/b.json']) {
  t.test(`a reference that leads nowhere, or out of the machine, is a problem: ${$ref}`, async (t) => {
    const { problems } = problemsOf(load(t, { components: { schemas: { A: { $ref } } } }, { 'b.json': '{}' }))
    t.match(problems, [`components schemas A: the reference ${$ref} leads nowhere`])
  })
}

t.test('a component of another file has a name that no other has, of letters that a name may have', async (t) => {
  const schemas = { a_b_c: { type: 'string' }, A: { $ref: 'b.yaml#/a b c' } }
  const document = load(t, { components: { schemas } }, { 'b.yaml': 'a b c: { type: integer }' })
  t.match(
    [...modelOf(document).schemas].map(([name, { type }]) => `${name} ${type}`),
    ['a_b_c string', 'A integer', 'a_b_c2 integer'],
  )
})

t.test('a part of every kind may be in another file', async (t) => {
  const ref = (name: string) => ({ $ref: `parts.yml#/${name}` })
  const parts = `
Pet: { type: object, properties: { kind: { type: string } } }
Gone: { description: Gone. }
Query: { in: query, name: q, schema: { type: string } }
Body: { content: { application/json: { schema: { $ref: '#/Pet' }, examples: { one: { $ref: '#/Example' } } } } }
Example: { value: {} }
Header: { schema: { type: string } }
Scheme: { type: http, scheme: bearer }
Link: { operationId: ask }
Callback: { '{$url}': { post: { operationId: hook, responses: { 204: { $ref: '#/Gone' } } } } }
`
  const done = { description: 'Done.', headers: { 'X-A': ref('Header') }, links: { next: ref('Link') } }
  const post = {
    ...{ operationId: 'ask', security: [{ key: [] }], parameters: [ref('Query')], requestBody: ref('Body') },
    ...{ responses: { 204: done, 404: ref('Gone') }, callbacks: { sent: ref('Callback') } },
  }
  const chosen = { oneOf: [ref('Pet')], discriminator: { propertyName: 'kind', mapping: { pet: ref('Pet').$ref } } }
  const components = { securitySchemes: { key: ref('Scheme') }, schemas: { Chosen: chosen } }
  const document = load(t, { paths: { '/a': { post } }, components }, { 'parts.yml': parts })
  t.strictSame(problemsOf(document), { problems: [], broken: new Map(), idle: [], costs: [] })
  t.match(modelOf(document).schemas.get('Chosen')?.discriminator?.choices, [{ values: ['pet'] }])
})

t.test('a document is named by a URL or a path, also one with spaces and accents', async (t) => {
  const folder = t.testdir({ 'my prójects': { 'a.yaml': 'a: 1', 'bad.yaml': 'a: [' } })
  const path = `${folder}/my prójects/a.yaml`
  for (const file of [path, relative(process.cwd(), path), pathToFileURL(path), pathToFileURL(path).href])
    t.strictSame(loadDocument(file), { a: 1 }, String(file))
  const bad = `${folder}/my prójects/bad.yaml`
  const message = await messageOf(() => loadDocument(pathToFileURL(bad)))
  t.match(message, `${bad} is not YAML: `)
  t.notMatch(message, '\n', 'on one line')
})

t.test('keys of YAML are merged, and what is read is frozen', async (t) => {
  t.strictSame(parseDocument('# nothing', 'a.yaml'), {})
  t.ok(Object.isFrozen(parseDocument('a: 1', 'a.yaml')))
  t.strictSame(parseDocument('{ a: &a { b: 1 }, c: { <<: *a, d: 2 } }', 'a.yaml'), { a: { b: 1 }, c: { b: 1, d: 2 } })
})
