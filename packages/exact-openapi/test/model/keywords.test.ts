// The list of keywords, beside the schemas of OpenAPI that @seriousme/openapi-schema-validator carries, and of Ajv.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import t from 'tap'
import { keywords, type ObjectName } from '../../src/model/index.ts'
import { type Version, versions } from '../../src/openapi-schema.ts'
import { json, ref, serve } from '../fixtures/serve.ts'

const require = createRequire(import.meta.url)
const load = (file: string) => JSON.parse(readFileSync(require.resolve(file), 'utf8'))

interface Described {
  $ref?: string
  properties?: object
  patternProperties?: object
  dependentSchemas?: Record<string, Described>
  $defs?: Record<string, Described>
  [applicator: string]: unknown
}

/** What the schemas of OpenAPI call an object in another way. */
const names: Record<string, ObjectName> = {
  ...{ externaldocumentation: 'externalDocs', requestbody: 'requestBody', mediatype: 'media', oauthflows: 'flows' },
  ...{ pathitem: 'pathItem', servervariable: 'serverVariable', callbacks: 'callback' },
  ...{ apikeysecurityscheme: 'securityScheme', httpsecurityscheme: 'securityScheme' },
  ...{ oauth2securityscheme: 'securityScheme', openidconnectsecurityscheme: 'securityScheme' },
  ...{ implicitoauthflow: 'flow', passwordoauthflow: 'flow', clientcredentialsflow: 'flow' },
  ...{ authorizationcodeoauthflow: 'flow', implicit: 'flow', password: 'flow', clientcredentials: 'flow' },
  ...{ authorizationcode: 'flow', deviceauthorization: 'flow', securityscheme: 'securityScheme' },
}

/** The objects of 3.0 that may be references. */
const referable: ReadonlySet<ObjectName> = new Set([
  ...(['parameter', 'requestBody', 'response', 'header', 'callback', 'example', 'link'] as const),
  ...(['securityScheme', 'schema'] as const),
])

const vocabularies = [
  ...['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content'].map(
    (name) => `meta/${name}.json`,
  ),
  'schema.json',
]

/** Of the dialect of OpenAPI, which is not carried. */
const xml = ['name', 'namespace', 'prefix', 'attribute', 'wrapped']
const schema = ['discriminator', 'xml', 'externalDocs', 'example']
const dialect = {
  '3.1': { schema, discriminator: ['propertyName', 'mapping'], xml },
  '3.2': { schema, discriminator: ['propertyName', 'mapping', 'defaultMapping'], xml: [...xml, 'nodeType'] },
}

/** Of an object, whatever part of its schema names them. */
function keywordsIn(described: Described, examples: Described): string[] {
  const { properties = {}, patternProperties = {}, dependentSchemas = {}, $defs = {}, $ref } = described
  const applied = ['allOf', 'if', 'then', 'else'].flatMap((key) => described[key] ?? []) as Described[]
  const parts = [...applied, ...Object.values(dependentSchemas), ...Object.values($defs)]
  const methods = Object.keys(patternProperties).flatMap(
    (text) => /^\^\((get.*)\)\$$/.exec(text)?.[1]?.split('|') ?? [],
  )
  return [
    ...[...Object.keys(properties), ...methods],
    ...($ref === '#/$defs/examples' ? Object.keys(examples.properties ?? {}) : []),
    ...parts.flatMap((part) => keywordsIn(part, examples)),
  ]
}

/** By object, the keywords that a version has. */
function specified(version: Version): Map<ObjectName, Set<string>> {
  const found = new Map<ObjectName, Set<string>>()
  const add = (object: ObjectName, known: readonly string[]) =>
    found.set(object, new Set([...(found.get(object) ?? []), ...known]))
  const schema = load(`@seriousme/openapi-schema-validator/schemas/v${version}/schema.json`)
  const { $defs, definitions = $defs, ...document } = schema
  add('document', keywordsIn(document, {}))
  const { $defs: flows, ...ofFlows } = definitions['oauth-flows'] ?? {}
  for (const [name, described] of Object.entries<Described>({ ...definitions, ...flows, 'oauth-flows': ofFlows })) {
    const key = name.toLowerCase().replaceAll('-', '')
    const object = names[key] ?? (key as ObjectName)
    if (!keywords.has(object)) continue
    add(object, keywordsIn(described, definitions.examples))
    if (definitions[`${name}-or-reference`] || (version === '3.0' && referable.has(object))) add(object, ['$ref'])
  }
  if (version !== '3.0') {
    for (const file of vocabularies)
      add('schema', Object.keys(load(`ajv/dist/refs/json-schema-2020-12/${file}`).properties))
    for (const [object, known] of Object.entries(dialect[version])) add(object as ObjectName, known)
  }
  return found
}

/** In the list, they stand for any text. */
const general = ['/', 'status', 'expression']

t.test('every keyword of the specification is in the list, and no other', async (t) => {
  for (const version of versions) {
    const expected = specified(version)
    for (const [object, known] of keywords) {
      const listed = [...known].filter(([name, one]) => one.versions.includes(version) && !general.includes(name))
      const names = listed.map(([name]) => name)
      t.strictSame(names.toSorted(), [...(expected.get(object) ?? [])].toSorted(), `${version} ${object}`)
    }
  }
})

t.test('what is not in the list, or refused there, is refused with its place; x- is not', async (t) => {
  const body = (more: object) => ({ requestBody: { content: { 'application/json': more } } })
  const inBody = 'POST /a, requestBody content application/json'
  const $schema = 'http://json-schema.org/draft-04/schema#'
  const cases: [operation: object, message: string, openapi?: string][] = [
    [{ xunknown: 1 }, 'POST /a: xunknown is no keyword of OpenAPI 3.0 here'],
    [json({ const: 1 }), `${inBody} schema: const is no keyword of OpenAPI 3.0 here, but of 3.1 and 3.2`],
    [json({ nullable: true }), `${inBody} schema: nullable is no keyword of OpenAPI 3.1 here, but of 3.0`, '3.1.0'],
    [json({ properties: { a: { typ: 1 } } }), `${inBody} schema properties a: typ is no keyword of OpenAPI 3.0 here`],
    [json(ref('A')), 'components schemas A: typ is no keyword of OpenAPI 3.0 here'],
    [
      json({ $schema }),
      `${inBody} schema: the dialect ${$schema} is not supported: write JSON Schema 2020-12`,
      '3.1.0',
    ],
    [{ responses: { 700: {} } }, 'POST /a, responses: 700 is no keyword of OpenAPI 3.0 here'],
  ]
  for (const [operation, message, openapi = '3.0.3'] of cases) {
    const components = message.startsWith('components') ? { schemas: { A: { typ: 1 } } } : {}
    const starting = serve(t, { openapi, components, operations: { 'POST /a': operation } })
    await t.rejects(starting, { message: `the document is not valid OpenAPI: ${message}, or tolerate "invalid-part"` })
  }
  const querystring = (content: object) => ({ parameters: [{ name: 'q', in: 'querystring', content }] })
  const instead = 'write application/x-www-form-urlencoded without encoding, or parameters of the query'
  const unsupported = `POST /a, parameters 0: this querystring is not supported: ${instead}`
  const others = 'dependencies is not supported: write dependentRequired or dependentSchemas'
  const refused: [operation: object, message: string][] = [
    [querystring({ 'application/json': {} }), unsupported],
    [querystring({ 'application/x-www-form-urlencoded': { encoding: {} } }), unsupported],
    [body({ prefixEncoding: [] }), `${inBody}: prefixEncoding is not supported: write encoding`],
    [json({ dependencies: {} }), `${inBody} schema: ${others}`],
  ]
  for (const [operation, message] of refused)
    await t.rejects(serve(t, { openapi: '3.2.0', operations: { 'POST /a': operation } }), { message })
  const extended = { 'x-a': { $ref: 'nowhere' }, ...json({ properties: { 'x-b': { type: 'string' } }, 'x-c': 1 }) }
  await t.resolves(serve(t, { operations: { 'POST /a': extended } }))
  const dialects = ['json-schema.org/draft/2020-12/schema', 'spec.openapis.org/oas/3.1/dialect/base']
  for (const name of [...dialects, 'json-schema.org/draft/2020-12/schema#'])
    await t.resolves(serve(t, { openapi: '3.1.0', operations: { 'POST /a': json({ $schema: `https://${name}` }) } }))
})
