// Every keyword of OpenAPI 3.0, 3.1 and 3.2, by the object that it stands in. Documents may have no others, but `x-`.
import { type Version, versions } from '../openapi-schema.ts'

/** `read` has an effect on requests, responses or types; `describes` has none; `refused` is not supported. */
type Use = 'read' | 'describes' | 'refused'

export interface Keyword {
  use: Use
  versions: readonly Version[]
  /** The object that its value is, or that each item or each property of its value is. */
  object: ObjectName | undefined
  isNamed: boolean
}

/**
 * `name:object` has an object or a list of them, `name:{object}` one for each name. `@3.0` exists in 3.0 alone, `@3.1` since
 * 3.1, `@3.2` since 3.2.
 */
const table = {
  document: {
    read: 'openapi servers:server paths:paths components:components security jsonSchemaDialect@3.1',
    describes: 'info:info tags:tag externalDocs:externalDocs webhooks:{pathItem}@3.1 $self@3.2',
  },
  info: { describes: 'title summary@3.1 description termsOfService contact:contact license:license version' },
  contact: { describes: 'name url email' },
  license: { describes: 'name identifier@3.1 url' },
  server: { read: 'url', describes: 'name@3.2 description variables:{serverVariable}' },
  serverVariable: { describes: 'enum default description' },
  components: {
    read: `schemas:{schema} responses:{response} parameters:{parameter} requestBodies:{requestBody} headers:{header}
      pathItems:{pathItem}@3.1 mediaTypes:{media}@3.2`,
    describes: 'examples:{example} securitySchemes:{securityScheme} links:{link} callbacks:{callback}',
  },
  paths: { read: '/:pathItem' },
  pathItem: {
    read: `$ref servers:server parameters:parameter get:operation put:operation post:operation delete:operation
      options:operation head:operation patch:operation trace:operation query:operation@3.2
      additionalOperations:{operation}@3.2`,
    describes: 'summary description',
  },
  operation: {
    read: 'operationId servers:server security parameters:parameter requestBody:requestBody responses:responses',
    describes: 'tags summary description externalDocs:externalDocs deprecated callbacks:{callback}',
  },
  externalDocs: { describes: 'description url' },
  parameter: {
    read: '$ref name in required schema:schema content:{media} style explode allowReserved allowEmptyValue',
    describes: 'description deprecated example examples:{example}',
  },
  requestBody: { read: '$ref required content:{media}', describes: 'description' },
  media: {
    read: '$ref@3.2 schema:schema itemSchema:schema@3.2 encoding:{encoding}',
    describes: 'description@3.2 example examples:{example}',
    refused: { 'prefixEncoding@3.2': 'write encoding', 'itemEncoding@3.2': 'write encoding' },
  },
  encoding: {
    read: 'contentType style explode allowReserved',
    refused: {
      'headers:{header}': 'leave them out',
      'encoding@3.2': 'describe the part as a body',
      'prefixEncoding@3.2': 'describe the part as a body',
      'itemEncoding@3.2': 'describe the part as a body',
    },
  },
  responses: { read: 'default:response status:response' },
  response: {
    read: '$ref headers:{header} content:{media}',
    describes: 'summary@3.2 description links:{link}',
  },
  header: {
    read: '$ref required schema:schema content:{media} style explode',
    describes: 'description deprecated example examples:{example}',
    refused: { 'allowReserved@3.0': 'leave it out', 'allowEmptyValue@3.0': 'leave it out' },
  },
  callback: { read: '$ref', describes: 'expression:pathItem' },
  example: { describes: '$ref summary description value externalValue dataValue@3.2 serializedValue@3.2' },
  link: { describes: '$ref operationRef operationId parameters requestBody description server:server' },
  tag: { describes: 'name summary@3.2 description externalDocs:externalDocs parent@3.2 kind@3.2' },
  securityScheme: {
    describes: `$ref type name in scheme bearerFormat flows:flows openIdConnectUrl oauth2MetadataUrl@3.2 description
      deprecated@3.2`,
  },
  flows: {
    describes: 'implicit:flow password:flow clientCredentials:flow authorizationCode:flow deviceAuthorization:flow@3.2',
  },
  flow: { describes: 'authorizationUrl deviceAuthorizationUrl@3.2 tokenUrl refreshUrl scopes' },
  schema: {
    read: `$ref $schema@3.1 $defs:{schema}@3.1 definitions:{schema}@3.1
      type nullable@3.0 format enum const@3.1 default minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
      minLength maxLength pattern contentEncoding@3.1 contentMediaType@3.1
      items:schema prefixItems:schema@3.1 contains:schema@3.1 minContains@3.1 maxContains@3.1 minItems maxItems uniqueItems
      unevaluatedItems:schema@3.1
      properties:{schema} patternProperties:{schema}@3.1 additionalProperties:schema propertyNames:schema@3.1 required
      minProperties maxProperties dependentRequired@3.1 dependentSchemas:{schema}@3.1 unevaluatedProperties:schema@3.1
      allOf:schema oneOf:schema anyOf:schema not:schema if:schema@3.1 then:schema@3.1 else:schema@3.1
      discriminator:discriminator readOnly writeOnly`,
    describes: `title description example examples@3.1 externalDocs:externalDocs deprecated xml:xml $comment@3.1
      contentSchema:schema@3.1`,
    refused: {
      '$id@3.1': 'refer by $ref',
      '$anchor@3.1': 'refer by $ref',
      '$dynamicRef@3.1': 'refer by $ref',
      '$dynamicAnchor@3.1': 'refer by $ref',
      '$recursiveRef@3.1': 'refer by $ref',
      '$recursiveAnchor@3.1': 'refer by $ref',
      '$vocabulary@3.1': 'leave it out',
      'dependencies@3.1': 'write dependentRequired or dependentSchemas',
    },
  },
  discriminator: { read: 'propertyName mapping defaultMapping@3.2' },
  xml: { describes: 'name namespace prefix attribute wrapped nodeType@3.2' },
} as const satisfies Record<string, { read?: string; describes?: string; refused?: Readonly<Record<string, string>> }>

export type ObjectName = keyof typeof table

/** The versions that a suffix stands for. */
const since: Record<string, readonly Version[]> = {
  '3.0': ['3.0'],
  '3.1': ['3.1', '3.2'],
  '3.2': ['3.2'],
}

/** Those of one object. */
export type Keywords = ReadonlyMap<string, Keyword & { instead?: string }>

/** By object, each keyword with what becomes of it. */
export const keywords = new Map(
  Object.entries(table).map(([name, row]: [string, { read?: string; describes?: string; refused?: object }]) => {
    const { read = '', describes = '', refused = {} } = row
    const known = [read, describes].flatMap((text, at) =>
      Array.from(text.matchAll(/\S+/g), ([word]) => described(word, at === 0 ? 'read' : 'describes')),
    )
    const others = Object.entries(refused).map(([text, instead]) => {
      const [key, keyword] = described(text, 'refused')
      return [key, { ...keyword, instead: String(instead) }] as const
    })
    return [name as ObjectName, new Map([...known, ...others]) as Keywords]
  }),
) as ReadonlyMap<ObjectName, Keywords>

function described(text: string, use: Use): [name: string, keyword: Keyword] {
  const [, name, brace, object, version] = /^([^:@]+)(?::(\{?)(\w+)\}?)?(?:@(.*))?$/.exec(text) as unknown as string[]
  const versionsOf = version === undefined ? versions : (since[version] as readonly Version[])
  return [String(name), { use, versions: versionsOf, object: object as ObjectName | undefined, isNamed: brace === '{' }]
}

/** Keywords that any text may stand for. */
const patterns: Partial<Record<ObjectName, [pattern: RegExp, keyword: string]>> = {
  paths: [/^\//, '/'],
  responses: [/^[1-5](\d\d|XX)$/, 'status'],
  callback: [/^(?!\$ref$)/, 'expression'],
}

/** @returns undefined for an unknown keyword */
export function keywordOf(object: ObjectName, key: string): ReturnType<Keywords['get']> {
  const [pattern, general = ''] = patterns[object] ?? []
  const known = keywords.get(object)
  return known?.get(key) ?? (pattern?.test(key) ? known?.get(general) : undefined)
}

type Node = Record<string, unknown>

/**
 * A copy of an object of OpenAPI, whose parts that are objects of OpenAPI are changed. Values, such as examples, stay.
 * @param change also gets the keys that lead to the part
 */
export function withParts(
  node: Node,
  object: ObjectName,
  change: (part: unknown, object: ObjectName, ...keys: (string | number)[]) => unknown,
): Node {
  return mapped(node, (value, key) => {
    const { object: part, isNamed } = keywordOf(object, key) ?? {}
    if (!part || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item, at) => change(item, part, key, at))
    return isNamed ? mapped(value as Node, (item, name) => change(item, part, key, name)) : change(value, part, key)
  })
}

export const mapped = (node: Node, change: (value: unknown, key: string) => unknown): Node =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]))
