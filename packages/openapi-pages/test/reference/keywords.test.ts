// Nothing of a document is dropped: each keyword has a value here that the HTML and the Markdown must show.
import { type Document, parseDocument } from 'exact-openapi'
import { keywords } from 'exact-openapi/model'
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
        secret: { type: string, writeOnly: true, contentMediaType: application/json, contentSchema: { content: schema } }
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

/** What the reference shows for each keyword of an object. */
const shown = `
  document openapi ~ for tools
  document jsonSchemaDialect ~ for tools
  document $self ~ for tools
  document info | info title
  document servers | server description
  document tags | tag summary
  document paths | /things
  document security | oauth
  document components ~ shown where they are referred to
  info contact | contact name
  info license | license name
  server variables | variable description
  components schemas | Everything
  components securitySchemes | key description
  components responses ~ shown where they are referred to
  components parameters ~ shown where they are referred to
  components requestBodies ~ shown where they are referred to
  components headers ~ shown where they are referred to
  components pathItems ~ shown where they are referred to
  components mediaTypes ~ shown where they are referred to
  components examples ~ shown where they are referred to
  components links ~ shown where they are referred to
  components callbacks ~ shown where they are referred to
  paths / | /things
  callback expression | {$request.body#/url}
  document externalDocs | docs description | https://docs.example
  document webhooks | hookName | hook summary | hook description
  info title | info title
  info summary | info summary
  info description | info description
  info version | info version
  info termsOfService | https://terms.example
  contact name | contact name
  contact url | https://contact.example
  contact email | contact@example.com
  license name | license name
  license identifier | spdx.org/licenses/MIT-0
  license url ~ in place of the identifier, as the service's own
  server url | .server.example
  server name | server name
  server description | server description
  serverVariable enum | eu | us
  serverVariable default | eu
  serverVariable description | variable description
  tag name ~ its summary is shown
  tag summary | tag summary
  tag description | tag description
  tag parent | Part of parent tag
  tag kind ~ for tools
  tag externalDocs | https://tag.example
  pathItem post | POST
  pathItem get ~ as post
  pathItem put ~ as post
  pathItem delete ~ as post
  pathItem options ~ as post
  pathItem head ~ as post
  pathItem patch ~ as post
  pathItem trace ~ as post
  pathItem query ~ as post
  pathItem additionalOperations ~ as post
  pathItem parameters ~ those of its operations
  pathItem summary | path summary
  pathItem description | path description
  pathItem servers | https://path.example
  operation summary | operation summary
  operation description | operation description
  operation externalDocs | operation docs | https://operation.example
  operation deprecated | deprecated
  operation tags | tag summary
  operation operationId | makeThing
  operation parameters | parameter-name
  operation requestBody | body description
  operation responses | response description
  operation servers | https://path.example
  operation security | scope name | or none
  operation callbacks | callbackName | {$request.body#/url} | callback summary | callback response
  parameter name | parameter-name
  parameter in | query
  parameter description | parameter description
  parameter allowEmptyValue | may be empty
  parameter style | joined by spaces
  parameter required | required
  parameter schema | array of string
  parameter deprecated ~ as that of a header
  parameter example ~ as that of a header
  parameter explode ~ said where values are joined
  parameter allowReserved ~ has an effect on samples
  parameter examples | parameter example
  parameter content | as text/parameter
  requestBody description | body description
  requestBody required | required
  requestBody content | text/body
  example summary | example summary
  example description | example description
  example value | parameter example
  example dataValue | data value
  example serializedValue | serialized value
  example externalValue | https://value.example
  response summary | response summary
  response description | response description
  response headers | X-Header
  response content | Everything
  response links | linkName
  responses default | default response
  responses status | 200
  response default | default response
  header description | header description
  header example | header example
  header schema | string
  header deprecated | deprecated
  header required ~ as that of a parameter
  header examples ~ as those of a parameter
  header content ~ as that of a parameter
  header style ~ there is but one
  header explode ~ clients read what they get
  media description | media description
  media schema | Everything
  media itemSchema | of-item
  media encoding | image/encoded
  media examples | data value
  encoding contentType | image/encoded
  encoding style | image/encoded, form
  encoding explode | each value by itself
  encoding allowReserved | not percent-encoded
  media example | media example
  link name | linkName
  link operationId | operation summary
  link operationRef ~ as operationId
  link parameters | parameter-name = $response.body#/id
  link requestBody | body = {"link":"body"}
  link description | link description
  link server | https://link.example
  securityScheme name | X-Key
  securityScheme in | header
  securityScheme type | API key
  securityScheme flows | authorization code
  securityScheme oauth2MetadataUrl | https://metadata.example
  securityScheme deprecated | deprecated
  flows implicit | implicit
  flows password | password
  flows clientCredentials | client credentials
  flows authorizationCode | authorization code
  flows deviceAuthorization | device authorization
  flow deviceAuthorizationUrl | https://device.example
  externalDocs description | docs description
  externalDocs url | https://docs.example
  securityScheme description | key description
  securityScheme scheme | bearer
  securityScheme bearerFormat | JWT format
  securityScheme openIdConnectUrl | https://connect.example
  flow authorizationUrl | https://authorize.example
  flow tokenUrl | https://token.example
  flow refreshUrl | https://refresh.example
  flow scopes | scope name | scope description
  schema title | schema title | property title
  schema description | schema description
  schema externalDocs | https://schema.example
  schema required | with elsewhere | with condition
  schema type | string | may be null
  schema format | format double
  schema enum | 11 | 12
  schema default | default 2
  schema minimum | 1 to 7
  schema maximum | 1 to 7
  schema exclusiveMinimum | more than 4
  schema exclusiveMaximum | less than 6
  schema multipleOf | a multiple of 0.5
  schema maxLength | 3 characters
  schema pattern | text pattern
  schema minItems | 2 to 8 items
  schema maxItems | 2 to 8 items
  schema uniqueItems | each item once
  schema maxContains | 1 to 5 such items
  schema unevaluatedItems | no other items
  schema properties | constant
  schema maxProperties | at most 3 properties
  schema allOf | all.of-all
  schema anyOf | any.of-any
  schema oneOf | one.of-one
  schema discriminator | chosen by kind
  schema readOnly | only in responses
  schema writeOnly | only in requests
  schema example | 3
  schema deprecated | deprecated
  schema contentSchema | containing {"content":"schema"}
  schema xml | in XML
  schema nullable ~ type null, since 3.1
  schema $ref ~ what it leads to is shown
  schema $defs ~ shown where they are referred to
  schema definitions ~ shown where they are referred to
  schema $schema ~ for tools
  schema $comment ~ for authors
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
  schema const | constant value
  schema examples | 11 | 12
  schema prefixItems | list[0] | first item
  schema items | no other items | Each item: item description
  schema contains | list.contains | contained
  schema minContains | at least 2 such items
  schema propertyNames | named.each name | name pattern
  schema unevaluatedProperties | named.* | other format
  schema patternProperties | /^x-/ | pattern description
  schema dependentRequired | list only with constant
  schema dependentSchemas | with pet | dependent description
  schema additionalProperties | additional description
  schema if | if
  schema then | then description
  schema else | else description
  schema not | not description
  discriminator propertyName | chosen by kind
  discriminator mapping | feline
`

const pagesOf = (given: Document) => {
  const reference = readReference(given)
  const { html } = referenceHtml(reference, page)
  const entities: Record<string, string> = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' }
  const text = html.replace(/&(?:quot|#39|lt|gt|amp);/g, (entity) => String(entities[entity]))
  return { html: text, markdown: referenceMarkdown(reference) }
}

const lines = shown.trim().split(/\n */)
const rows = lines.map((row) => row.split(/ \| | ~ .*/).filter(Boolean))

/** Formats are chips; fields stand within others, with their own name. */
const inHtml = (text: string) => text.replace(/^format |^named\./, '')

t.test('every keyword of a document is shown, in HTML and in Markdown', async (t) => {
  for (const [format, page] of Object.entries(pagesOf(document))) {
    for (const [keyword, ...texts] of rows) {
      for (const text of texts)
        t.ok(page.includes(format === 'html' ? inHtml(text) : text), `${format} shows ${keyword}: ${text}`)
    }
    t.notMatch(page, /undefined|\[object/)
  }
})

t.test('each keyword has its row here, which says what is shown, or why nothing is', async (t) => {
  const all = [...keywords].flatMap(([object, known]) =>
    [...known].filter(([, { use }]) => use !== 'refused').map(([keyword]) => `${object} ${keyword}`),
  )
  const named = rows.map(([keyword]) => keyword)
  const missing = all.filter((keyword) => !keyword.endsWith(' $ref') && !named.includes(keyword))
  t.strictSame(missing, [])
})
