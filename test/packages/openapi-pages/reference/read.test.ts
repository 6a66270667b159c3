import { modelOf } from 'exact-openapi/model'
import t from 'tap'
import { documentOf } from 'test-kit/document'
import { referenceHtml } from '../../../../packages/openapi-pages/src/reference/html/reference.ts'
import { referenceMarkdown } from '../../../../packages/openapi-pages/src/reference/markdown.ts'
import { readReference } from '../../../../packages/openapi-pages/src/reference/read.ts'
import { page } from '../../../../packages/openapi-pages/test/fixtures/page-context.ts'
import { loadDocument } from '../../../../spec/document.ts'
import { changed } from '../../../fixtures/app.ts'

const reference = readReference(loadDocument())
const { introduction, guide, groups } = reference
const { responses, headers, commonHeaders } = reference
const operations = groups.flatMap(({ operations }) => operations)
type SearchTerms = { 'x-search-terms'?: unknown }
const operation = (id: string) => operations.filter((each) => each.id === id)[0]

t.test('the description is split into sections without loss', async (t) => {
  const ids = guide.map(({ id }) => id)
  for (const id of ['quick-start', 'authentication', '64-bit-identifiers', 'errors', 'behavior']) t.ok(ids.includes(id))
  const joined = [introduction, ...guide.map(({ title, text }) => `## ${title}${text}`)].join('')
  t.equal(joined.replace(/\s/g, ''), modelOf(loadDocument()).info.description.replace(/\s/g, ''))
})

t.test('search terms belong to headings, tags and operations that exist', async (t) => {
  const ids = [...guide.map(({ id }) => id), ...groups.map(({ id }) => id), ...operations.map(({ id }) => id)]
  for (const id of Object.keys(reference.searchTerms)) t.ok(ids.includes(id), id)
  t.match(reference.searchTerms, { staging: /sandbox/, 'tag-store': /shop/, cancelOrder: /delete/ })
  const without = changed(({ info, tags = [], paths }) => {
    for (const part of [info, ...tags, paths['/pets/{petId}']?.get]) delete (part as SearchTerms)['x-search-terms']
  })
  t.notOk('getPetById' in readReference(without).searchTerms)
})

const tagged = (id: string, ...tags: string[]) => ({ operationId: id, tags, responses: {} })
t.test('operations are grouped by the tags of the document, then by undescribed ones, then by none', async (t) => {
  const paths = {
    '/a': { get: tagged('getA', 'second'), put: tagged('putA', 'first') },
    '/b': { delete: tagged('deleteB', 'second') },
    '/c': { get: tagged('getC') },
  }
  const { groups } = readReference(Object.assign(documentOf(paths), { tags: [{ name: 'first' }] }))
  const read = groups.map(({ name, operations }) => `${name}: ${operations.map(({ id }) => id)}`)
  t.strictSame(read, ['first: putA', 'second: getA,deleteB', 'Other: getC'])
})

t.test('headers are listed once, the common ones first; a response lists its others', async (t) => {
  for (const name of ['RateLimit-Policy', 'RateLimit', 'X-Request-Id']) t.ok(commonHeaders.includes(name), name)
  const first = headers.slice(0, commonHeaders.length).map(({ name }) => name)
  t.strictSame(first, commonHeaders)
  t.equal(new Set(headers.map(({ id }) => id)).size, headers.length)
  const [retryAfter] = headers.filter(({ name }) => name === 'Retry-After')
  t.hasStrict(retryAfter, { id: 'headers-Retry-After', examples: ['1'], type: { constraints: ['at least 0'] } })
  t.strictSame(operation('listOrders')?.responses[0]?.headers, ['ETag', 'Cache-Control', 'Vary'])
})

t.test('an operation has its own responses; common errors are listed once', async (t) => {
  const own = operation('cancelOrder')?.responses.map(({ status }) => status) ?? []
  const shared = responses.map(({ status }) => status)
  for (const status of ['204', '400', '403', '404', '409'])
    t.ok(own.includes(status) && !shared.includes(status), status)
  for (const status of ['401', '405', '500', '503']) t.ok(shared.includes(status) && !own.includes(status), status)
  t.match(responses[0], { id: 'responses-401', status: '401', headers: ['WWW-Authenticate'] })
})

t.test('examples are JSON, by name or alone', async (t) => {
  const { responses = [] } = operation('listOrders') ?? {}
  t.match(responses[0]?.formats[0]?.examples, [{ name: 'orders' }, { name: 'empty', summary: 'No orders', text: '[]' }])
  const [unchanged] = responses.filter(({ status }) => status === '304')
  t.match(unchanged, { reason: 'Not Modified', formats: [] })
  const document = changed(({ paths }) => {
    const { responses = {} } = paths['/pets/{petId}']?.get ?? {}
    const pet = { example: { id: 1 }, schema: { type: 'object', maxProperties: 9 } } as const
    responses['200'] = { description: 'The pet.', content: { 'application/json': pet } }
    const none = { examples: { none: { value: null } }, schema: {} }
    responses['404'] = { description: 'No pet.', content: { 'application/json': none } }
    responses.default = { description: 'Any other.' }
  })
  const [ok, ...others] = readReference(document).groups[1]?.operations[0]?.responses ?? []
  t.match(ok?.formats[0]?.examples, [{ name: 'example', summary: 'Example', text: '{\n  "id": 1\n}', lang: 'json' }])
  t.match(ok?.formats[0]?.type, { name: 'object', constraints: ['at most 9 properties'] })
  const none = others.filter(({ status }) => status === '404')[0]
  t.match(none?.formats, [{ examples: [{ name: 'none', summary: 'none', text: 'null' }], type: { name: 'any' } }])
  t.match(others.at(-1), { status: 'default', reason: '', headers: [], formats: [] })
})

const object = (properties: object) => ({ type: 'object', properties })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** What a page of every keyword (keywords.test.ts) does not have, and the words that the reference must show for it. */
const schemasInWords: [schema: object, words: string[]][] = [
  [{ type: 'number', maximum: 99, exclusiveMaximum: true, multipleOf: 7 }, ['less than 99', 'a multiple of 7']],
  [{ type: 'string', minLength: 3, maxLength: 64, pattern: '^a' }, ['3 to 64 characters', 'pattern ^a']],
  [{ type: 'string', maxLength: 1, format: 'uuid' }, ['at most 1 character', 'format uuid']],
  [{ type: 'string', minLength: 1, default: 'x' }, ['at least 1 character', 'default "x"']],
  [{ type: 'string', nullable: true, enum: ['red', null] }, ['may be null', 'red', 'null']],
  [{ type: 'array', items: {}, minItems: 1, maxItems: 1 }, ['1 item']],
  [{ type: 'integer', format: 'int64', default: 9007199254740993n }, ['64-bit integer', 'default 9007199254740993']],
  [{ type: 'string', format: 'date-time' }, ['date and time (RFC 3339)']],
  [{ type: 'array', items: { type: 'array', items: { type: 'boolean' } } }, ['array of boolean']],
  [{ type: 'array', items: {}, minItems: 2, maxItems: 2 }, ['2 items']],
  [{ type: 'object', additionalProperties: false, minProperties: 2 }, ['no other fields', 'at least 2 properties']],
  [{ type: 'array', items: { type: 'object', properties: { leaf: { type: 'string' } } } }, ['a[].leaf']],
  [{ type: 'object', additionalProperties: { type: 'object', properties: { leaf: {} } } }, ['a.*.leaf']],
  [{ allOf: [object({ one: {} }), ref('Cat')] }, ['object and Cat', 'a.one', 'a.purrs']],
  [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, ['string or boolean']],
  [
    { oneOf: [ref('Cat'), object({ kind: { enum: ['dog'] } })], discriminator: { propertyName: 'kind' } },
    ['one of Cat, object', 'chosen by kind: dog for object'],
  ],
  [{ oneOf: [ref('Cat'), { ...object({ loud: {} }), description: 'It barks.' }] }, ['It barks.']],
  [{ oneOf: [ref('Cat'), object({ barks: { oneOf: [object({ loud: {} })] } })] }, ['a.barks.loud']],
]

t.test('the schemas of a body, a parameter and a response are in the reference, in words', async (t) => {
  const Cat = object({ purrs: { type: 'boolean' } })
  for (const [schema, words] of schemasInWords) {
    const content = { 'application/json': { schema: object({ a: schema }) } }
    const post = {
      operationId: 'send',
      parameters: [{ in: 'header', name: 'X-A', description: 'Its parameter.', deprecated: true, schema }],
      requestBody: { required: true, description: 'Its body.', content },
      responses: { 200: { description: 'Sent.', content } },
    }
    const reference = readReference(documentOf({ '/a': { post } }, { schemas: { Cat } }))
    const [operation] = reference.groups[0]?.operations ?? []
    const [parameter] = operation?.parameters ?? []
    t.equal(parameter?.location, 'header')
    t.ok(parameter?.type.constraints.includes('deprecated'))
    const shown = words.filter((word) => !/^a[.[]/.test(word))
    for (const [part, all] of [
      [operation?.body?.formats, words],
      [operation?.responses[0]?.formats, words],
      [parameter, shown],
    ] as const)
      for (const word of all) t.ok(JSON.stringify(part).includes(JSON.stringify(word).slice(1, -1)), word)
  }
})

t.test('each media type has its type and its examples; a joined array and text are shown as such', async (t) => {
  const schema = { type: 'array', items: { type: 'integer' } }
  const ids = { in: 'query', name: 'ids', explode: false, schema, example: [1] }
  const id = { in: 'path', name: 'ids', required: true, schema: { type: 'string' } }
  const content = {
    'text/csv': { schema: { type: 'string' }, example: 'a,b' },
    'application/json': { example: { a: 1 } },
  }
  const responses = { 200: { description: 'Done.', content } }
  const put = { operationId: 'put', parameters: [id, ids], requestBody: { content }, responses }
  const reference = readReference(documentOf({ '/a/{ids}': { put } }))
  const [operation] = reference.groups[0]?.operations ?? []
  const bodies = '#### Request body\n\nBody: string, `text/csv`\n\nBody: any, `application/json`\n'
  t.match(referenceMarkdown(reference), bodies)
  t.match(referenceHtml(reference, page).html, '<code class="media">text/csv</code>')
  t.match(operation?.responses[0]?.formats, [{ mediaType: 'text/csv' }, { mediaType: 'application/json' }])
  t.match(operation?.parameters, [
    { id: 'put-ids', location: 'path' },
    { id: 'put-ids-2', location: 'query', type: { constraints: ['joined by commas'] }, examples: ['[1]'] },
  ])
  t.match(operation?.body?.formats, [
    { mediaType: 'text/csv', type: { name: 'string' }, examples: [{ text: 'a,b', lang: 'text' }] },
    { mediaType: 'application/json', type: { name: 'any' }, examples: [{ text: '{\n  "a": 1\n}', lang: 'json' }] },
  ])
})

t.test('the body of a request is opened: nested fields, alternatives, and schemas with a section', async (t) => {
  const loud = object({ kind: { enum: ['loud'] }, volume: { type: 'integer' } })
  const schemas = {
    Cat: object({ kind: {}, kittens: { type: 'array', items: ref('Cat') } }),
    Dog: { ...object({ kind: {} }), required: ['kind'] },
    Pet: {
      oneOf: [ref('Cat'), ref('Dog'), loud],
      discriminator: { propertyName: 'kind', mapping: { cat: ref('Cat').$ref, tom: 'Cat' } },
    },
    Owner: object({ pet: ref('Pet'), any: { anyOf: [{}, {}] }, self: ref('Owner') }),
    Either: { oneOf: [object({ a: {} }), object({ b: {} })] },
  }
  const content = { 'application/json': { schema: ref('Owner') } }
  const responses = { 200: { description: 'Sent.', content } }
  const post = { operationId: 'send', requestBody: { content }, responses }
  const reference = readReference(documentOf({ '/a': { post } }, { schemas }))
  const [operation] = reference.groups[0]?.operations ?? []
  t.strictSame(operation?.responses[0]?.formats[0]?.content, { fields: [], alternatives: [] })
  const { content: body, examples, type } = operation?.body?.formats[0] ?? {}
  t.equal(type?.schemaId, 'schema-Owner')
  t.match(examples, [{ name: 'example', text: '{}' }])
  t.match(body?.fields, [
    { name: 'pet' },
    { name: 'any', content: { fields: [], alternatives: [] } },
    { name: 'self', content: { fields: [] } },
  ])
  t.match(body?.fields[0]?.content.alternatives, [
    { name: 'cat or tom', fields: [{ name: 'pet.kind' }, { name: 'pet.kittens', content: { fields: [] } }] },
    { name: 'Dog', fields: [{ name: 'pet.kind', isRequired: true }] },
    { name: 'loud', fields: [{ name: 'pet.kind' }, { name: 'pet.volume' }] },
  ])
  const [, , pet, , either] = reference.schemas.map(({ part }) => part())
  t.match(pet?.content.alternatives, [{ fields: [], type: { schemaId: 'schema-Cat' } }, {}, { fields: [{}, {}] }])
  t.match(either?.content.alternatives, [{ name: 'object 1' }, { name: 'object 2' }])
  const tabs =
    /<dd class="within"><div class="tabs alternatives" role="radiogroup" aria-label="Alternatives of [\w-]*pet">/
  t.match(referenceHtml(reference, page).html, tabs)
  t.match(referenceMarkdown(reference), '| `pet.volume` | integer, in loud |')
})

t.test('an array may be an item of itself', async (t) => {
  const Tree = { type: 'array', items: { $ref: '#/components/schemas/Tree' }, maxItems: 3 }
  const { schemas } = readReference(documentOf({}, { schemas: { Tree } }))
  t.match(schemas[0]?.part(), { type: { name: 'array of Tree', isArray: true } })
  const Lists = { type: 'array', items: { type: 'array', items: { $ref: '#/components/schemas/Lists/items' } } }
  const { schemas: nameless } = readReference(documentOf({}, { schemas: { Lists } }))
  t.match(nameless[0]?.part(), { type: { name: 'array of array', isArray: true } })
})

t.test('sections of the same title, or of the name of another part, have ids of their own', async (t) => {
  const description = 'Hello.\n\n## Introduction\n\n## Errors\n\n## Errors\n\n## Headers\n\n## API key\n\n## one\n'
  const get = { operationId: 'one', security: [], responses: { 204: { description: 'Done.' } } }
  const document = documentOf({ '/one': { get } })
  const { guide } = readReference({ ...document, info: { title: 'Other', version: '1', description } } as never)
  const ids = guide.map(({ id }) => id).join(' ')
  t.equal(ids, 'introduction-2 errors errors-2 headers-2 api-key one-2')
})
