// Generates packages/client/operations.ts: a method for each operation, and what the client must know to call it.
import { type Document, fieldsOf, modelOf, type Operation, plainSchema, type Schema } from 'exact-openapi'

/** The keywords that the client reads. It ignores the others: a later version of the API may widen them. */
const keywords = ['$ref', 'type', 'format', 'nullable', 'enum', 'required', 'allOf', 'oneOf', 'anyOf']

type Plain = Record<string, unknown>

/** Whether schemas refer to those with a name, or contain them. */
type Style = 'referring' | 'inlined'

/** What the client knows of each operation. */
export function tableOf(document: Document, style: Style = 'referring') {
  return Object.fromEntries(modelOf(document).operations.map((one) => [one.id, knownOf(one, style)]))
}

function knownOf({ method, path, pathNames, parameters, body, responses }: Operation, style: Style) {
  const type = body?.media[0]?.type
  const joined = parameters.filter((one) => one.in === 'query' && !one.explode).map(({ name }) => name)
  const successes = responses.filter(({ status }) => status.startsWith('2'))
  const inPath = pathNames.map((name) => parameters.find((one) => one.in === 'path' && one.name === name))
  return {
    method,
    path,
    parameters: inPath.flatMap((one) => (one?.schema ? [{ name: one.name, schema: pruned(one.schema, style) }] : [])),
    ...(joined.length > 0 && { joined }),
    ...(type && { type }),
    ...(responses.some(({ status }) => status === '304') && { hasETag: true }),
    responses: Object.fromEntries(
      successes.map(({ status, media }) => {
        const json = media.find((one) => one.type === 'application/json')
        return [status, json?.schema ? pruned(json.schema, style) : null]
      }),
    ),
  }
}

/** The module. */
export function clientOf(document: Document): string {
  const { operations, schemas } = modelOf(document)
  const signatures = operations.map(signatureOf)
  const types = ['BodyOf', 'Operation', 'OptionsOf', 'PathOf', 'Schema']
  const used = types.filter((name) => !/Of$/.test(name) || signatures.some((text) => text.includes(`${name}<`)))
  const components = [...schemas].map(([name, schema]) => [name, prunedNode(returned(schema, 'referring'))])
  return `// Generated from openapi.yaml by \`npm run types\`. Do not edit.
import type { ${used.join(', ')} } from './types.ts'

export interface Client {
${signatures.join('\n')}}

export const operations: Readonly<Record<keyof Client, Operation>> = ${lines(tableOf(document))}

export const schemas: Readonly<Record<string, Schema>> = ${lines(Object.fromEntries(components))}
`
}

function signatureOf(operation: Operation): string {
  const { id, pathNames, summary, description, deprecated, parameters, body, responses } = operation
  const isRequired =
    body?.required || parameters.some((one) => one.required && (one.in === 'query' || one.in === 'header'))
  const args = [
    ...pathNames.map((name) => `${identifierOf(name)}: PathOf<'${id}'>['${name}']`),
    `options${isRequired ? '' : '?'}: OptionsOf<'${id}'>`,
  ]
  const text = [summary, description, deprecated && '@deprecated'].filter(Boolean).join('\n\n').replaceAll('*/', '* /')
  const comment = text
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^/gm, '   * ')
    .replace(/ +$/gm, '')
  const successes = responses.map(({ status }) => status).filter((status) => status.startsWith('2'))
  return `  /**\n${comment}\n   */\n  ${id}(${args.join(', ')}): Promise<BodyOf<'${id}', ${successes.join(' | ')}>>\n`
}

/** `report-id` as `reportId`; `options` is the last argument. */
const identifierOf = (name: string) =>
  name.replace(/\W+(\w?)/g, (_, next: string) => next.toUpperCase()).replace(/^(\d|options$)/, '_$&')

const refTo = ({ name }: Schema) => (name === undefined ? undefined : { $ref: `#/components/schemas/${name}` })

function pruned(schema: Schema, style: Style): Plain {
  return prunedNode(part(schema, style))
}

const part = (schema: Schema, style: Style): Plain =>
  (style === 'referring' && refTo(schema)) || returned(schema, style)

/** As a response has it. */
function returned(schema: Schema, style: Style): Plain {
  const { properties, required } = fieldsOf(schema, 'response')
  const own = { ...schema, ...(schema.properties && { properties }), ...(schema.required && { required }) }
  return plainSchema(own, (one) => part(one, style))
}

function prunedNode(node: Plain): Plain {
  const kept = keywords.filter((key) => key in node)
  const { properties, items, additionalProperties: others } = node as Record<'properties' | 'items', Plain> & Plain
  return {
    ...Object.fromEntries(
      kept.map((key) => [key, /Of$/.test(key) ? (node[key] as Plain[]).map(prunedNode) : node[key]]),
    ),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, prunedNode(one as Plain)])),
    }),
    ...(items && { items: prunedNode(items) }),
    ...(typeof others === 'object' && { additionalProperties: prunedNode(others as Plain) }),
  }
}

/** A line for each entry. The client compares the values of an `enum` as text, so a bigint can be text. */
function lines(table: Plain): string {
  const json = (value: unknown) => JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? String(one) : one))
  const entries = Object.entries(table).map(([name, value]) => `  ${JSON.stringify(name)}: ${json(value)},\n`)
  return `{\n${entries.join('')}}`
}
