// Nothing of a document is dropped: each keyword has a value here that the HTML and the Markdown must show.
import { type Document, parseDocument } from 'exact-openapi'
import { keywords, type ObjectName } from 'exact-openapi/model'
import t from 'tap'
import { referenceHtml } from '../../src/reference/html/reference.ts'
import { referenceMarkdown } from '../../src/reference/markdown.ts'
import { readReference } from '../../src/reference/read.ts'
import { page } from '../fixtures/page-context.ts'

const document = parseDocument(
  `
openapi: 3.2.0
info:
  title: info title
  summary: info summary
  description: info description
  termsOfService: https://terms.example
  contact: { name: contact name, url: https://contact.example, email: contact@example.com }
  license: { name: license name, identifier: MIT-0 }
  version: info version
externalDocs: { description: docs description, url: https://docs.example }
servers:
  - url: https://{region}.server.example
    name: server name
    description: server description
    variables: { region: { enum: [eu, us], default: eu, description: variable description } }
tags:
  - { name: tag name, parent: parent tag, summary: tag summary, description: tag description, externalDocs: { url: https://tag.example } }
security: [{ key: [] }, { oauth: [scope name] }, {}]
paths:
  /things:
    summary: path summary
    description: path description
    servers: [{ url: https://path.example }]
    post:
      operationId: makeThing
      tags: [tag name]
      summary: operation summary
      description: operation description
      externalDocs: { description: operation docs, url: https://operation.example }
      deprecated: true
      parameters:
        - in: query
          name: parameter-name
          description: parameter description
          required: true
          allowEmptyValue: true
          style: spaceDelimited
          explode: false
          schema: { type: array, items: { type: string } }
          examples: { one: { value: parameter example } }
        - { in: header, name: X-Content, content: { text/parameter: { schema: { type: string } } } }
      requestBody:
        description: body description
        required: true
        content:
          text/body:
            schema: { type: string }
            description: media description
            examples:
              far: { summary: example summary, description: example description, externalValue: https://value.example }
          multipart/form-data:
            schema: { type: object, properties: { file: { type: string, format: binary } } }
            encoding: { file: { contentType: image/encoded, style: form, explode: true, allowReserved: true } }
      callbacks:
        callbackName:
          '{$request.body#/url}': { post: { summary: callback summary, responses: { 202: { description: callback response } } } }
      responses:
        200:
          summary: response summary
          description: response description
          headers:
            X-Header: { description: header description, deprecated: true, example: header example, schema: { type: string } }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Everything' }
              examples: { data: { dataValue: data value }, text: { serializedValue: serialized value } }
            application/jsonl: { itemSchema: { type: object, properties: { of-item: {} } }, example: [media example] }
          links:
            linkName:
              operationId: makeThing
              parameters: { parameter-name: $response.body#/id }
              requestBody: { link: body }
              description: link description
              server: { url: https://link.example }
        default: { description: default response }
webhooks:
  hookName: { post: { summary: hook summary, description: hook description, responses: { 204: { description: Got it. } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key, description: key description, deprecated: true }
    token: { type: http, scheme: bearer, bearerFormat: JWT format }
    connect: { type: openIdConnect, openIdConnectUrl: https://connect.example }
    oauth:
      type: oauth2
      oauth2MetadataUrl: https://metadata.example
      flows:
        implicit: { authorizationUrl: https://implicit.example, scopes: {} }
        password: { tokenUrl: https://password.example, scopes: {} }
        clientCredentials: { tokenUrl: https://client.example, scopes: {} }
        deviceAuthorization: { deviceAuthorizationUrl: https://device.example, tokenUrl: https://token.example, scopes: {} }
        authorizationCode:
          authorizationUrl: https://authorize.example
          tokenUrl: https://token.example
          refreshUrl: https://refresh.example
          scopes: { scope name: scope description }
  schemas:
    Everything:
      title: schema title
      description: schema description
      type: object
      externalDocs: { url: https://schema.example }
      required: [required, elsewhere]
      minProperties: 2
      properties:
        required: { title: property title, type: [string, 'null'], minLength: 3, contentEncoding: base64, contentMediaType: image/png }
        constant: { const: constant value }
        several: { type: integer, enum: [11, 12], examples: [11, 12] }
        list:
          type: array
          prefixItems: [{ type: string, description: first item }]
          items: false
          contains: { type: string, pattern: contained }
          minContains: 2
        named: { type: object, propertyNames: { pattern: name pattern }, unevaluatedProperties: { type: string, format: other format } }
        strings: { type: array, items: { type: string, description: item description } }
        pet: { $ref: '#/components/schemas/Pet' }
        number: { type: number, format: double, minimum: 1, maximum: 7, multipleOf: 0.5, default: 2, example: 3 }
        text: { type: string, maxLength: 9, pattern: text pattern, readOnly: true, deprecated: true }
        secret: { type: string, writeOnly: true, contentMediaType: application/json, contentSchema: { type: integer } }
        above: { type: number, exclusiveMinimum: 4, exclusiveMaximum: 6 }
        listed: { type: array, items: {}, minItems: 2, maxItems: 8, uniqueItems: true, contains: {}, maxContains: 5, unevaluatedItems: false }
        any: { anyOf: [{ type: string }, { type: object, properties: { of-any: {} } }] }
        one: { oneOf: [{ type: string }, { type: object, properties: { of-one: {} } }] }
        all: { allOf: [{ type: object, maxProperties: 3 }, { properties: { of-all: {} } }] }
        inXml: { type: string, xml: { name: xml name, namespace: xml namespace, prefix: xml prefix, attribute: true, wrapped: true, nodeType: xml node } }
      patternProperties: { ^x-: { description: pattern description } }
      dependentRequired: { list: [constant] }
      dependentSchemas: { pet: { description: dependent description } }
      additionalProperties: { description: additional description }
      if: { required: [condition] }
      then: { description: then description }
      else: { description: else description }
      not: { description: not description }
    Pet: { type: object, properties: { kind: { type: string } }, discriminator: { propertyName: kind, mapping: { feline: Cat }, defaultMapping: Fallback } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { purrs: { type: boolean } } }] }
`,
  'everything',
)

/** Keywords that the reference does not show, by the reason. */
const unshown: Record<string, string> = {
  'for tools': 'document openapi, document jsonSchemaDialect, document $self, tag kind, schema $schema',
  'for authors': 'schema $comment',
  'shown where they are referred to': `components responses, components parameters, components requestBodies,
    components headers, components pathItems, components mediaTypes, components examples, components links,
    components callbacks, schema $defs, schema definitions`,
  'what it leads to is shown': 'schema $ref',
  'in place of the identifier, as the service shows its own': 'license url',
  'its summary is shown': 'tag name, operation tags, media examples, parameter examples',
  'as post': `pathItem get, pathItem put, pathItem delete, pathItem options, pathItem head, pathItem patch, pathItem trace,
    pathItem query, pathItem additionalOperations`,
  'as that of the document': 'operation security',
  'those of its operations': 'pathItem parameters, operation servers',
  'as that of a header or a parameter': `parameter deprecated, parameter example, header required, header examples,
    header content`,
  'it has an effect on samples': 'parameter explode, parameter allowReserved',
  'clients read what they get': 'header style, header explode',
  'as default of responses, and the operationId of a link': 'response default, link operationRef',
  'the type null, since 3.1': 'schema nullable',
}

/** What it shows in other words than those of the document. */
const inWords = `
  paths / | /things
  callback expression | {$request.body#/url}
  license identifier | spdx.org/licenses/MIT-0
  server url | .server.example | https://path.example | https://link.example
  tag parent | Part of parent tag
  pathItem post | POST
  operation deprecated | deprecated
  document security | oauth | scope name | or none
  parameter allowEmptyValue | may be empty
  parameter style | joined by spaces
  parameter required | required
  parameter schema | array of string
  parameter content | as text/parameter
  requestBody required | required
  responses status | 200
  header deprecated | deprecated
  media schema | Everything
  encoding style | image/encoded, form
  encoding explode | each value by itself
  encoding allowReserved | not percent-encoded
  link operationId | operation summary
  link parameters | parameter-name = $response.body#/id
  link requestBody | body = {"link":"body"}
  securityScheme type | API key
  securityScheme deprecated | deprecated
  flows clientCredentials | client credentials
  flows authorizationCode | authorization code
  flows deviceAuthorization | device authorization
  schema required | with elsewhere | with condition
  schema type | string | may be null
  schema format | double | other format
  schema enum | eu | 11 | 12
  schema default | default 2
  schema minimum | 1 to 7
  schema maximum | 1 to 7
  schema exclusiveMinimum | more than 4
  schema exclusiveMaximum | less than 6
  schema multipleOf | a multiple of 0.5
  schema maxLength | 9 characters
  schema minItems | 2 to 8 items
  schema maxItems | 2 to 8 items
  schema uniqueItems | each item once
  schema maxContains | 1 to 5 such items
  schema unevaluatedItems | no other items
  schema maxProperties | at most 3 properties
  schema allOf | all.of-all
  schema anyOf | any.of-any
  schema oneOf | one.of-one
  schema readOnly | only in responses
  schema writeOnly | only in requests
  schema example | 3
  schema deprecated | deprecated
  schema contentSchema | containing {"type":"integer"}
  schema xml | in XML
  xml name | name xml name
  xml namespace | namespace xml namespace
  xml prefix | prefix xml prefix
  xml attribute | attribute
  xml wrapped | wrapped
  xml nodeType | nodeType xml node
  discriminator defaultMapping | else Fallback
  schema minProperties | at least 2 properties
  schema minLength | at least 3 characters
  schema contentEncoding | encoded as base64
  schema contentMediaType | containing image/png
  schema examples | 11 | 12
  schema prefixItems | list[0]
  schema items | no other items | Each item: item description
  schema contains | list.contains
  schema minContains | at least 2 such items
  schema propertyNames | named.each name
  schema unevaluatedProperties | named.*
  schema patternProperties | /^x-/
  schema dependentRequired | list only with constant
  schema dependentSchemas | with pet
  schema if | if
  discriminator propertyName | chosen by kind
`

const pagesOf = (given: Document) => {
  const reference = readReference(given)
  const { html } = referenceHtml(reference, page)
  const entities: Record<string, string> = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' }
  const text = html.replace(/&(?:quot|#39|lt|gt|amp);/g, (entity) => String(entities[entity]))
  return { html: text, markdown: referenceMarkdown(reference) }
}

const rows = new Map(
  inWords.split('\n').map((row): [string, string[]] => {
    const [keyword = '', ...texts] = row.trim().split(' | ')
    return [keyword, texts]
  }),
)
const omitted = Object.values(unshown).flatMap((names) => names.split(/,\s+/))

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The texts in a value, and its names. */
const textsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (isObject(value)) return Object.entries(value).flatMap(([name, one]) => [name, ...textsIn(one)])
  return typeof value === 'string' ? [value] : []
}

/** The keywords of a part of the document, each with its texts: of one that consists of parts, only their names. */
function keywordsIn(part: object, object: ObjectName = 'document'): [keyword: string, texts: string[]][] {
  return Object.entries(part).flatMap(([key, value]) => {
    const known = keywords.get(object)
    const name = known?.has(key) ? key : ['/', 'status', 'expression'].find((general) => known?.has(general))
    const { object: inner, isNamed } = known?.get(String(name)) ?? {}
    const parts = isNamed || Array.isArray(value) ? Object.values(value) : [value]
    const within = inner ? parts.filter(isObject).flatMap((one) => keywordsIn(one, inner)) : []
    const texts = isNamed ? Object.keys(value) : inner ? [] : textsIn(value)
    return [[`${object} ${name}`, texts], ...within]
  })
}

const written = keywordsIn(document)

t.test('every keyword of a document is shown, in HTML and in Markdown', async (t) => {
  const { html, markdown } = pagesOf(document)
  for (const [keyword, texts] of written.filter(([keyword]) => !omitted.includes(keyword))) {
    for (const text of rows.get(keyword) ?? texts) {
      t.ok(markdown.includes(text), `Markdown shows ${keyword}: ${text}`)
      t.ok(html.includes(text.replace(/^named\./, '')), `HTML shows ${keyword}: ${text}`) // fields stand within others
    }
  }
  t.notMatch(html + markdown, /undefined|\[object/)
})

t.test(
  'each keyword is in the document with a text, or has a row here, or a reason why nothing is shown',
  async (t) => {
    const parts = written.map(([keyword]) => keyword)
    const texts = written.filter(([keyword, all]) => all.length > 0 || rows.has(keyword)).map(([keyword]) => keyword)
    const missing = [...keywords].flatMap(([object, known]) =>
      [...known].flatMap(([name, { use, object: inner }]) => {
        const keyword = `${object} ${name}`
        const isFound = (inner ? parts : texts).includes(keyword) || omitted.includes(keyword)
        return isFound || use === 'refused' || name === '$ref' ? [] : [keyword]
      }),
    )
    t.strictSame(missing, [])
  },
)
