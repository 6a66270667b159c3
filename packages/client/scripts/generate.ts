// Generates packages/client/operations.ts: a method for each operation, and what the client must know to call it.
import type { Document } from 'exact-openapi'
import { fieldsOf, type Media, modelOf, type Operation, plainSchema, preferred, type Schema } from 'exact-openapi/model'

/** The keywords that the client reads. It ignores the others: a later version of the API may widen them. */
const keywords = [
  '$ref',
  'type',
  'format',
  'nullable',
  'enum',
  'required',
  'allOf',
  'oneOf',
  'anyOf',
  'prefixItems',
  'patternProperties',
]

/** Names that no argument can have: the last one is `options`, and the others are words of the language. */
const reserved =
  `options arguments await break case catch class const continue debugger default delete do else enum eval
  export extends false finally for function if implements import in instanceof interface let new null package private
  protected public return static super switch this throw true try typeof var void while with yield`.split(/\s+/)

type Plain = Record<string, unknown>
type Part = (schema: Schema) => Plain

/** The client's table of operations, and the schemas that it refers to. */
export function tableOf(document: Document) {
  const { operations, schemas: named } = modelOf(document)
  const schemas: Record<string, Plain> = {}
  function part(schema: Schema): Plain {
    const { name = schema.isShared ? schema.pointer : undefined } = schema
    if (name === undefined) return returned(schema, part)
    if (!Object.hasOwn(schemas, name)) {
      schemas[name] = {} // before its parts: they may refer to it
      schemas[name] = returned(schema, part)
    }
    return { $ref: name }
  }
  for (const schema of named.values()) part(schema)
  return {
    operations: Object.fromEntries(operations.map((operation) => [operation.id, knownOf(operation, part)])),
    schemas,
  }
}

function knownOf(operation: Operation, part: Part) {
  const { method, path, pathNames, parameters, body, responses } = operation
  const [sent] = preferred(body?.media ?? [])
  const joined = parameters
    .filter((parameter) => parameter.in === 'query' && !parameter.explode)
    .map(({ name }) => name)
  const schemaOf = (parameter: string) =>
    parameters.find(({ in: location, name }) => location === 'path' && name === parameter)?.schema
  const written = (schema: Schema | undefined) => (schema ? part(schema) : {})
  const received = (media: readonly Media[]) =>
    Object.fromEntries(preferred(media).map(({ type, schema }) => [type, written(schema)]))
  return {
    method,
    path,
    parameters: pathNames.map((name) => ({ name, schema: written(schemaOf(name)) })),
    ...(joined.length > 0 && { joined }),
    ...(sent && { type: sent.type }),
    ...(responses.some(({ status }) => status === '304') && { hasETag: true }),
    responses: Object.fromEntries(successesOf(operation).map(({ status, media }) => [status, received(media)])),
  }
}

/** `default` is an error unless there is no other. */
function successesOf({ responses }: Operation) {
  const successes = responses.filter(({ status }) => status.startsWith('2'))
  return successes.length > 0 ? successes : responses.filter(({ status }) => status === 'default')
}

/** The module. */
export function clientOf(document: Document): string {
  const { operations, schemas } = tableOf(document)
  const signatures = modelOf(document).operations.map(signatureOf)
  const types = ['BodyOf', 'Operation', 'OptionsOf', 'PathOf', 'Schema']
  const used = types.filter((name) => !/Of$/.test(name) || signatures.some((text) => text.includes(`${name}<`)))
  return `// Generated from openapi.yaml by \`npm run types\`. Do not edit.
import type { ${used.join(', ')} } from './types.ts'

export interface Client {
${signatures.join('\n')}}

export const operations: Readonly<Record<keyof Client, Operation>> = ${lines(operations)}

export const schemas: Readonly<Record<string, Schema>> = ${lines(schemas)}
`
}

function signatureOf(operation: Operation): string {
  const { id, pathNames, summary, description, deprecated, parameters, body } = operation
  const isRequired =
    body?.required ||
    parameters.some((parameter) => parameter.required && (parameter.in === 'query' || parameter.in === 'header'))
  const [sent] = preferred(body?.media ?? [])
  const types = [id, ...(sent ? [sent.type] : [])].map(quoted).join(', ')
  const identifiers = identifiersOf(pathNames)
  const args = [
    ...pathNames.map((name, at) => `${identifiers[at]}: PathOf<${quoted(id)}>[${quoted(name)}]`),
    `options${isRequired ? '' : '?'}: OptionsOf<${types}>`,
  ]
  const text = [summary, description, deprecated && '@deprecated'].filter(Boolean).join('\n\n').replaceAll('*/', '* /')
  const comment = text
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^/gm, '   * ')
    .replace(/ +$/gm, '')
  const statuses = successesOf(operation).map(({ status }) => (/^\d+$/.test(status) ? status : quoted(status)))
  const name = /^(?!new$)[a-z_$][\w$]*$/i.test(id) ? id : quoted(id)
  const result = `BodyOf<${quoted(id)}, ${statuses.join(' | ') || 'never'}>`
  return `  /**\n${comment}\n   */\n  ${name}(${args.join(', ')}): Promise<${result}>\n`
}

const quoted = (text: string) => JSON.stringify(text)

/** `report-id` as `reportId`; what is reserved or taken begins with `_`. */
function identifiersOf(names: readonly string[]): string[] {
  const taken = new Set(reserved)
  return names.map((name) => {
    const words = name.replace(/[^\p{ID_Continue}$]+(.?)/gu, (_, next: string) => next.toUpperCase())
    let identifier = words.replace(/^(?![\p{ID_Start}$_])/u, '_')
    while (taken.has(identifier)) identifier = `_${identifier}`
    taken.add(identifier)
    return identifier
  })
}

/** The schema without what only requests have. */
function returned(schema: Schema, part: Part): Plain {
  const { discriminator } = schema
  const { properties, required } = fieldsOf(schema, 'response')
  const visible = { ...schema, ...(schema.properties && { properties }), ...(schema.required && { required }) }
  const node = plainSchema(visible, part)
  const { items, additionalProperties: others } = node
  return {
    ...Object.fromEntries(keywords.filter((key) => key in node).map((key) => [key, node[key]])),
    ...(node.properties ? { properties: node.properties } : {}),
    ...(items ? { items } : {}),
    ...(typeof others === 'object' && { additionalProperties: others }),
    ...(discriminator && {
      discriminator: [discriminator.propertyName, ...discriminator.choices.map(({ values }) => values)],
    }),
  }
}

/** A line for each entry. The client compares the values of an `enum` as text, so a bigint can be text. */
function lines(table: Plain): string {
  const json = (value: unknown) =>
    JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? String(item) : item))
  const entries = Object.entries(table).map(([name, value]) => `  ${JSON.stringify(name)}: ${json(value)},\n`)
  return `{\n${entries.join('')}}`
}
