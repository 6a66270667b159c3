// Nothing of a document is dropped: each keyword has a value here that the HTML and the Markdown must show.
import { type Document, parseDocument } from 'exact-openapi'
import t from 'tap'
import { referenceHtml } from '../../src/reference/html/reference.ts'
import { referenceMarkdown } from '../../src/reference/markdown.ts'
import { readReference } from '../../src/reference/read.ts'
import { place } from '../fixtures/place.ts'

const document = parseDocument(
  `
openapi: 3.2.0
info:
  title: info title
  summary: info summary
  description: info description
  termsOfService: https://terms.example
  contact: { name: contact name, url: https://contact.example, email: contact@example.com }
  license: { name: license name, url: https://license.example }
  version: info version
externalDocs: { description: docs description, url: https://docs.example }
servers:
  - url: https://{region}.server.example
    description: server description
    variables: { region: { enum: [eu, us], default: eu, description: variable description } }
tags:
  - { name: tag name, summary: tag summary, description: tag description, externalDocs: { url: https://tag.example } }
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
            examples:
              far: { summary: example summary, description: example description, externalValue: https://value.example }
      callbacks:
        callbackName:
          '{$request.body#/url}': { post: { summary: callback summary, responses: { 202: { description: callback response } } } }
      responses:
        200:
          summary: response summary
          description: response description
          headers:
            X-Header: { description: header description, deprecated: true, example: header example, schema: { type: string } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Everything' }, example: { a: media example } } }
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
      flows:
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
      patternProperties: { ^x-: { description: pattern description } }
      dependentRequired: { list: [constant] }
      dependentSchemas: { pet: { description: dependent description } }
      additionalProperties: { description: additional description }
      if: { required: [condition] }
      then: { description: then description }
      else: { description: else description }
      not: { description: not description }
    Pet: { type: object, properties: { kind: { type: string } }, discriminator: { propertyName: kind, mapping: { feline: Cat } } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { purrs: { type: boolean } } }] }
`,
  'everything',
)

/** What the reference shows for each keyword of an object. */
const shown = `
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
  license url | https://license.example
  server url | .server.example
  server description | server description
  serverVariable enum | eu | us
  serverVariable default | eu
  serverVariable description | variable description
  tag name | tag name
  tag summary | tag summary
  tag description | tag description
  tag externalDocs | https://tag.example
  pathItem summary | path summary
  pathItem description | path description
  pathItem servers | https://path.example
  operation summary | operation summary
  operation description | operation description
  operation externalDocs | operation docs | https://operation.example
  operation deprecated | deprecated
  operation security | scope name | or none
  operation callbacks | callbackName | {$request.body#/url} | callback summary | callback response
  parameter name | parameter-name
  parameter in | query
  parameter description | parameter description
  parameter allowEmptyValue | may be empty
  parameter style | joined by spaces
  parameter examples | parameter example
  parameter content | as text/parameter
  requestBody description | body description
  requestBody content | text/body
  example summary | example summary
  example description | example description
  example externalValue | https://value.example
  response summary | response summary
  response description | response description
  response headers | X-Header
  response default | default response
  header description | header description
  header example | header example
  media example | media example
  link name | linkName
  link operationId | operation summary
  link parameters | parameter-name = $response.body#/id
  link requestBody | body = {"link":"body"}
  link description | link description
  link server | https://link.example
  securityScheme name | X-Key
  securityScheme in | header
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
  const { html } = referenceHtml(reference, place)
  const entities: Record<string, string> = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' }
  const text = html.replace(/&(?:quot|#39|lt|gt|amp);/g, (entity) => String(entities[entity]))
  return { html: text, markdown: referenceMarkdown(reference) }
}

t.test('every keyword of a document is shown, in HTML and in Markdown', async (t) => {
  const rows = shown
    .trim()
    .split('\n')
    .map((row) => row.trim().split(' | '))
  for (const [format, page] of Object.entries(pagesOf(document))) {
    for (const [keyword, ...texts] of rows) {
      for (const text of texts) t.ok(page.includes(text), `${format} shows ${keyword}: ${text}`)
    }
    t.notMatch(page, /undefined|\[object/)
  }
})
