// What documents may leave out, or have in an unusual form.
import { env } from 'node:process'
import t from 'tap'
import { documentOf } from 'test-kit/document'
import type { Hidden } from '../../src/reference/html/page-context.ts'
import { contentsHtml, referenceHtml } from '../../src/reference/html/reference.ts'
import { referenceMarkdown } from '../../src/reference/markdown.ts'
import { readReference } from '../../src/reference/read.ts'
import { urlsOf } from '../../src/reference/texts.ts'
import { page } from '../fixtures/page-context.ts'

const done = { responses: { 204: { description: 'Done.' } } }
const info = { title: 'Other', version: '1' }
const variables = Object.fromEntries(
  ['a', 'b', 'c'].map((name) => [name, { default: 'w', enum: ['w', 'x', 'y', 'z'], description: '' }]),
)
const A = { $ref: '#/components/schemas/A' }
const json = { 'application/json': { schema: A } }
const schema = (B: object) => ({ components: { schemas: { B } }, openapi: '3.1.0' })
const links = { next: { operationRef: 'b.yaml#/c' }, none: {}, same: { operationRef: '#/paths/~1a/post' } }
const examples = { a: { externalValue: 'https://far.example' } }
const operation = (given: object) => ({ paths: { '/a': { post: { ...done, ...given } } } })
const missing = (description: string) => ({ responses: { 404: { description } } })
const hooks = { hook: { '{$url}': { post: missing('No hook.') } } }
const styles = ['pipeDelimited', 'deepObject', 'label', 'matrix'].map((style) => ({ in: 'query', name: style, style }))

const sampled = { 'x-codeSamples': [{ lang: 'sh', source: 'curl' }], responses: { 200: { description: 'It.' } } }
const htmlOf = (paths: object, components: object = {}) =>
  referenceHtml(readReference(documentOf(paths, components)), page).html

/** Each with what its Markdown has. */
const cases: [given: object, texts: (string | RegExp)[]][] = [
  [{ info: { ...info, contact: { url: 'https://a.example' } } }, ['Contact: [https://a.example](https://a.example)']],
  [{ info: { ...info, contact: { email: 'a@example.com' } } }, ['Contact: [a@example.com](mailto:a@example.com)']],
  [{ info: { ...info, license: { name: 'A [B]', url: 'https://a/(b)' } } }, ['[A \\[B\\]](<https://a/(b)>)']],
  [{ info: { ...info, contact: {}, description: '## A\n\nB.' } }, ['# Other 1\n\n## A']],
  [{ tags: [{ name: 'a', 'x-displayName': 'Shown' }], ...operation({ tags: ['a'] }) }, ['## Shown']],
  [schema({ properties: { '': {}, '`c`': {} } }), ['| `""` |', '| `` `c` `` |']],
  [{ externalDocs: { url: 'https://a.example' } }, ['Documentation: [https://a.example](https://a.example)']],
  [{ servers: [{ url: 'https://{host}', variables: { host: { default: 'a.example' } } }] }, ['- `host`: `a.example`.']],
  [operation({ security: [] }), ['Authorization: none']],
  [operation({ security: [{ 'un`known': [] }] }), ['Authorization: ``un`known``']],
  [operation({ parameters: [{ in: 'query', name: 'bare' }] }), ['| `bare` | any, in query |']],
  [
    operation({ parameters: styles }),
    [
      '| `pipeDelimited` | any, joined by \\|, in query |',
      '| `deepObject` | any, each field as name[field], in query |',
      '| `label` | any, with a dot before each value, in query |',
      '| `matrix` | any, as ;name=value, in query |',
    ],
  ],
  [schema({ properties: { c: { exclusiveMinimum: 0, maximum: 1 } } }), ['more than 0, at most 1']],
  [schema({ properties: { c: { minimum: 1, exclusiveMaximum: 6 } } }), ['at least 1, less than 6']],
  [{ paths: { '/a': { get: missing('None.'), post: { ...missing('None.'), callbacks: hooks } } } }, ['No hook.']],
  [schema({ type: 'string', examples: ['a', 'b'] }), ['"a"', '"b"']],
  [schema({ description: 'b', examples: { one: { value: 'a' } } }), ['b']],
  [schema({ properties: { c: { examples: ['d', 'e'] } } }), ['Example: `d`, `e`']],
  [schema({ oneOf: [{ type: 'object', properties: {}, not: {} }, A] }), ['Alternative nothing: nothing']],
  [
    { components: { securitySchemes: { a: { type: 'mutualTLS', deprecated: true } } } },
    ['Client certificate, deprecated'],
  ],
  [{ components: { securitySchemes: { b: { type: 'other' } } } }, ['other']],
  [
    operation({ summary: 'Make', responses: { 200: { description: 'A.', links } } }),
    ['- `next`: b.yaml#/c.', '- `none`: .', '- `same`: [Make](#postA).'],
  ],
  [
    { paths: { '/a': { description: 'Once.', post: { ...done, description: 'Once.' } } } },
    [/^(?:(?!Once).)*Once\.(?:(?!Once).)*$/s],
  ],
  [{ paths: { '/a': { summary: 'All of it', post: done } } }, [/### All of it\n\n`POST \/a`\n\n#### Responses/]],
  [operation({ parameters: [{ in: 'query', name: 'far', examples }] }), ['Example: `https://far.example`']],
  [
    operation({ requestBody: { content: { ...json, 'application/xml': { schema: A } } } }),
    ['Body: A, `application/xml`'],
  ],
  [operation({ requestBody: { content: { 'text/plain': { schema: { title: 'A title' } } } } }), ['*A title*']],
]

t.test('what a document leaves out is left out; the rest is shown', async (t) => {
  for (const [given, texts] of cases) {
    const { components = {}, ...others } = given as { components?: { schemas?: object } }
    const schemas = { A: { type: 'object', properties: { a: {} } }, ...components.schemas }
    const document = Object.assign(documentOf({}, { ...components, schemas }), others)
    const reference = readReference(document)
    const markdown = referenceMarkdown(reference)
    for (const text of texts) t.match(markdown, text)
    t.notMatch(`${markdown}${referenceHtml(reference, page).html}`, /undefined|\[object/)
  }
})

t.test('a body of several media types is described once', async (t) => {
  const content = { ...json, 'application/xml': json['application/json'] }
  const schemas = { A: { type: 'object', properties: { field: {} } } }
  const html = htmlOf(operation({ requestBody: { content } }).paths, { schemas })
  t.match(html, '<p class="type-line">the same <code class="media">application/xml</code></p>')
  t.equal(html.match(/<code>field<\/code>/g)?.length, 2, 'in the body, and in the schema')
})

t.test('the fields of a body say that it is an object, even a single one', async (t) => {
  for (const [properties, isSaid] of [
    [{}, true],
    [{ field: {} }, false],
  ] as const) {
    const content = { 'application/json': { schema: { type: 'object', properties } } }
    t.equal(/Body<?[^\n]*object/.test(htmlOf(operation({ requestBody: { content } }).paths)), isSaid)
  }
})

t.test('of another media type, each of several examples has its name and the media type', async (t) => {
  const examples = { one: { value: 'a' }, two: { value: 'b' } }
  const content = { 'application/json': {}, 'text/plain': { examples } }
  const html = htmlOf(operation({ requestBody: { content } }).paths)
  for (const name of ['one', 'two']) t.match(html, `${name} <code>text/plain</code>`)
})

t.test('the first call shows the answer as its media type, and how many operations take its key', async (t) => {
  for (const [content, answer] of [
    [{ 'application/json': { example: 'a' } }, { text: '"a"', lang: 'json' }],
    [{ 'text/plain': { example: 'a\n'.repeat(20) } }, { text: `${'a\n'.repeat(15)}a`, lang: 'text' }],
    [{ 'text/plain': { example: 'a' } }, { text: 'a', lang: 'text' }],
    [{ 'text/plain': { example: 7 } }, { text: '7', lang: 'text' }],
    [{ 'application/xml': {} }, { text: '', lang: 'text' }],
    [undefined, { text: '', lang: 'text' }],
  ] as const) {
    const get = {
      ...{ ...sampled, security: [{ key: [] }] },
      responses: { 200: { description: 'It.', ...(content && { content }) } },
    }
    const document = documentOf(
      { '/a': { get, post: { ...done, security: [] } } },
      { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    )
    const reference = readReference(document)
    t.strictSame(reference.firstCall?.answer, { status: '200', ...answer })
    const { html } = referenceHtml(reference, page)
    t.match(html, '<span>sh</span>', 'a sample without a label has its language')
    t.match(html, ` data-accept="${Object.keys(content ?? {}).join()}"`)
    t.match(html, 'For 1 of 2 operations.')
  }
})

t.test('the first call is a GET that succeeds without parameters, at the server of the document', async (t) => {
  const firstOf = (item: object) => readReference(documentOf({ '/a': item })).firstCall
  t.match(firstOf({ get: sampled }), { target: '/a' })
  const parameters = [{ in: 'query', name: 'q', required: true, schema: { type: 'string' } }]
  for (const more of [{ servers: [{ url: 'https://own.example' }] }, { parameters }, missing('None.')])
    t.equal(firstOf({ get: { ...sampled, ...more } }), undefined, JSON.stringify(more))
  t.equal(firstOf({ post: sampled }), undefined, 'a POST')
})

t.test('a date is the same day in every time zone', async (t) => {
  const { TZ } = env
  t.teardown(() => (TZ === undefined ? Reflect.deleteProperty(env, 'TZ') : Object.assign(env, { TZ })))
  env.TZ = 'America/New_York'
  t.match(htmlOf({ '/a': { get: { ...done, 'x-sunset': '2027-12-31' } } }), 'sunset December 31, 2027')
})

t.test('where the document allows no form, the sample says so, here and in the first call', async (t) => {
  const textsOf = (more: object, hide: readonly Hidden[] = []) => {
    const reference = readReference(documentOf({ '/a': { get: { ...sampled, ...more } } }))
    const { html } = referenceHtml(reference, { ...page, hide: new Set(hide) })
    return html.split('this page does not send it').length - 1
  }
  t.equal(textsOf({}), 0)
  t.equal(textsOf({ 'x-explorer-enabled': false }), 2)
  t.equal(textsOf({ 'x-explorer-enabled': false }, ['tryIt']), 0, 'no page sends anything')
})

t.test('no more addresses than a reader would choose from are offered', async (t) => {
  const document = Object.assign(documentOf({}), { servers: [{ url: 'https://{a}.{b}.{c}.example', variables }] })
  t.strictSame(readReference(document).servers[0]?.addresses, ['https://w.w.w.example'])
  const numbers = (count: number) => ({ default: '0', enum: Array.from({ length: count }, (_, at) => `${at}`) })
  const thirty = { url: 'https://{a}.{b}.example', variables: { a: numbers(5), b: numbers(6) } }
  t.equal(urlsOf(thirty).length, 30)
})

t.test(
  'a page marks what is required: a key or none, a parameter, a body, and a field wherever it stands',
  async (t) => {
    const parameters = [{ in: 'query', name: 'q', required: true }]
    const schemas = { A: { type: 'object', required: ['a'], properties: { a: {}, b: {} } } }
    const { paths } = operation({ security: [], parameters, requestBody: { required: true, content: json } })
    const html = htmlOf(paths, { schemas })
    t.equal(html.split('<span class="required">').length - 1, 4)
    t.match(html, 'no key needed')
  },
)

t.test('many values and many fields fold, and a long example stands below its line', async (t) => {
  const count = (length: number) => Array.from({ length }, (_, at) => `v${at}`)
  const shown = (many: object) => htmlOf({}, { schemas: { A: { properties: { many } } } })
  t.match(shown({ type: 'string', enum: count(25) }), '<details><summary>25 values</summary>')
  t.notMatch(shown({ type: 'string', enum: count(24) }), '<details><summary>')
  const fields = (length: number) => ({ properties: Object.fromEntries(count(length).map((name) => [name, {}])) })
  t.match(shown(fields(5)), '<details open><summary>5 fields')
  t.match(shown(fields(6)), '<details><summary>6 fields')
  t.match(shown({ example: 'a'.repeat(28) }), '<span class="example">')
  t.match(shown({ example: 'a'.repeat(29) }), '<p class="example">')
})

t.test('values are listed with what they mean, however the document says it', async (t) => {
  const values = ['a', 2]
  const told = { a: 'First.', 2: 'Second.' }
  for (const [mode, markdown, html] of [
    [
      { oneOf: [{ const: 'a', title: 'First', description: '*One*', type: 'string' }, { const: 'b' }] },
      '| string | One of `a` (First: *One*), `b`.',
      '<li><code>a</code> First: <em>One</em></li><li><code>b</code></li>',
    ],
    [
      { type: 'string', anyOf: [{ const: 'a', title: 'a' }, { enum: ['b'] }] },
      '| string | One of `a`, `b`.',
      '<li><code>a</code></li><li><code>b</code></li>',
    ],
    [{ enum: values, 'x-enumDescriptions': told }, 'One of `a` (First.), `2` (Second.).', '<code>a</code> First.</li>'],
    [{ enum: values, 'x-enum-varnames': ['A', 'B'] }, 'One of `a` (A), `2` (B).', '<li><code>2</code> B</li>'],
    [{ enum: values, 'x-enum-varnames': 'odd' }, 'One of `a`, `2`.', '<li><code>2</code></li>'],
    [{ const: 'a', 'x-enumDescriptions': told }, 'One of `a` (First.).', 'always <code>a</code>'],
    [{ 'x-extensible-enum': ['a'], 'x-enumDescriptions': [null] }, 'One of `a`.', 'always <code>a</code>'],
  ] as const) {
    const reference = readReference(Object.assign(documentOf({}), schema({ properties: { mode } })))
    t.match(referenceMarkdown(reference), markdown)
    t.match(referenceHtml(reference, page).html, html)
    t.notMatch(referenceHtml(reference, page).html, 'class="alternatives"')
  }
})

t.test('the items of a named array are described with it', async (t) => {
  const items = { type: 'string', description: 'One of them.' }
  const document = documentOf({}, { schemas: { A: { type: 'array', description: 'All.', items } } })
  t.match(referenceMarkdown(readReference(document)), 'All.\n\nEach item: One of them.')
})

t.test('groups stand in the sections that the document puts them in', async (t) => {
  const paths = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].map((tag) => [`/${tag}`, { get: { ...done, tags: [tag] } }]),
  )
  const sectionsOf = (given: object) =>
    readReference(Object.assign(documentOf(paths), given)).groups.map(({ name, section }) => `${section} ${name}`)
  const groups = [
    { name: 'Late', tags: ['e', 'c'] },
    { name: 'First', tags: ['b', 'unknown'] },
  ]
  t.strictSame(sectionsOf({ 'x-tagGroups': groups }), ['Late e', 'Late c', 'First b', ' a', ' d'])
  const tags = [
    { name: 'a', summary: 'Alpha' },
    { name: 'b', parent: 'none' },
    { name: 'c', parent: 'd' },
    { name: 'd', parent: 'a' },
    { name: 'e', parent: 'e' },
  ]
  t.strictSame(sectionsOf({ openapi: '3.2.0', tags }), ['Alpha Alpha', 'Alpha c', 'Alpha d', 'none b', 'e e'])
  for (const odd of [null, 'a', [null, 'b', { name: 1 }]]) t.match(sectionsOf({ 'x-tagGroups': odd }), { length: 5 })
  const { html } = contentsHtml(readReference(Object.assign(documentOf(paths), { 'x-tagGroups': groups })), '/docs')
  const shown = Array.from(html.matchAll(/class="tag-group"[^>]*>([^<]*)/g), ([, name]) => name)
  t.strictSame(shown, ['Late', 'First'])
})

const partsOf = (schemas: object) =>
  readReference(documentOf({}, { schemas })).schemas.map(({ part }) => part().content)

t.test('within a schema that extends one with a discriminator, the others are of no interest', async (t) => {
  const Pet = { type: 'object', discriminator: { propertyName: 'kind' } }
  const Cat = { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { purrs: {} } }] }
  const counts = partsOf({ Pet, Cat }).map(({ alternatives }) => alternatives.length)
  t.strictSame(counts, [1, 0])
})

t.test('a condition is no required property of its name', async (t) => {
  const [content] = partsOf({ Odd: { type: 'object', required: ['not'], not: { title: 'Odd' } } })
  t.match(content?.fields, [{ key: 'not', isRequired: false }])
})

t.test('a body opens four schemas that have a section of their own', async (t) => {
  const names = [...'ABCDEFGH']
  const schemas = names.map((name, at) => [
    name,
    { type: 'object', properties: { next: { $ref: `#/components/schemas/${names[at + 1] ?? 'A'}` } } },
  ])
  const requestBody = { content: json }
  const document = documentOf(operation({ requestBody }).paths, { schemas: Object.fromEntries(schemas) })
  const [{ body } = {}] = readReference(document).groups.flatMap(({ operations }) => operations)
  let depth = 0
  for (let at = body?.formats[0]?.content; at?.fields[0]; at = at.fields[0].content) depth++
  t.equal(depth, 4)
})

t.test('a response begins with its own headers', async (t) => {
  const schema = { type: 'string' }
  const headers = { 'X-A': { schema, example: 'a' }, 'X-B': { schema } }
  const responses = { 200: { description: 'It.', headers }, 404: { description: 'None.' } }
  const { groups } = readReference(documentOf({ '/a': { get: { ...sampled, responses } } }))
  const heads = groups.flatMap(({ operations }) => operations.flatMap((one) => one.responses.map(({ head }) => head)))
  t.strictSame(heads, ['HTTP/1.1 200 OK\nX-A: a', 'HTTP/1.1 404 Not Found'])
})
