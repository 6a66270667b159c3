// A tool for an operation of the document, with arguments named after the parts of a request.

import { type Body, inputParts, type Operation, type Parameter, preferred, type Schema } from 'exact-openapi/model'
import type { ResponseInfo } from '../../packages/client/index.ts'
import { jsonSchema, withBigints, withTexts } from './json-schema.ts'

/** The arguments of the tool. A part that the operation does not have is absent. */
export interface Arguments {
  path?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, unknown>>
  body?: unknown
}

/** A method of the client. */
export type Method = (...args: readonly unknown[]) => Promise<unknown>

/** The client sends no cookies. */
const locations = ['path', 'query', 'header'] as const
type ParameterLocation = (typeof locations)[number]

export function operationTool(operation: Operation) {
  const { id, method, isSafe, summary = id, description } = operation
  return {
    title: summary,
    description: description.replace(/\s+/g, ' ').trim() || summary,
    inputSchema: inputSchema(operation),
    annotations: {
      readOnlyHint: isSafe,
      destructiveHint: !isSafe && method !== 'POST',
      idempotentHint: isSafe || ['PUT', 'DELETE'].includes(method),
      openWorldHint: false,
    },
  }
}

function inputSchema({ parameters, body }: Operation): Record<string, unknown> {
  const definitions = {}
  const parts = locations.flatMap((location) => {
    const located = parameters.filter((parameter) => parameter.in === location)
    const required = located.filter((parameter) => parameter.required).map(({ name }) => name)
    const properties = Object.fromEntries(
      located.map((parameter) => [parameter.name, parameterSchema(parameter, definitions)]),
    )
    const schema = { type: 'object', properties, required, additionalProperties: false }
    return located.length > 0 ? [{ name: inputParts[location] as string, isRequired: required.length > 0, schema }] : []
  })
  if (body) {
    const content = sentSchema(body)
    const schema = content ? jsonSchema(content, definitions) : {}
    parts.push({ name: 'body', isRequired: body.required, schema: described(schema, body.description) as never })
  }
  return {
    type: 'object',
    properties: Object.fromEntries(parts.map(({ name, schema }) => [name, schema])),
    required: parts.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
    $defs: definitions,
  }
}

const parameterSchema = ({ schema, description }: Parameter, definitions: Record<string, unknown>) =>
  described(schema ? jsonSchema(schema, definitions) : {}, description)

const described = (schema: object, description: string): object => (description ? { ...schema, description } : schema)

/** The schema of the body that the client sends. */
const sentSchema = ({ media }: Body): Schema | undefined => preferred(media)[0]?.schema

/**
 * Calls the method of the client.
 * @returns the status with the document's words, the number of attempts, the described headers and the body
 */
export async function callOperation(operation: Operation, call: Method, args: Arguments, signal: AbortSignal) {
  let response: object = {}
  const onResponse = ({ status, attempts, headers }: Pick<ResponseInfo, 'status' | 'attempts' | 'headers'>) => {
    const described = operation.responses.find(({ status: documented }) => documented === String(status))
    const names = new Set(operation.responses.flatMap((response) => response.headers.map(({ name }) => name)))
    const pairs = [...names].flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    response = { status, message: described?.description, attempts, headers: Object.fromEntries(pairs) }
  }
  const { inPath, input } = argumentsOf(operation, args)
  const result = await call(...inPath, { ...input, signal, onResponse })
  return { ...(result !== undefined && { body: withTexts(result) }), ...response }
}

/** The arguments of the client's method. */
function argumentsOf({ pathNames, parameters, body }: Operation, args: Arguments) {
  const read = (location: ParameterLocation, name: string) => {
    const described = parameters.find((parameter) => parameter.in === location && parameter.name === name)
    return withBigints(described?.schema ? [described.schema] : [], args[inputParts[location]]?.[name])
  }
  const part = (location: ParameterLocation) =>
    Object.fromEntries(Object.keys(args[inputParts[location]] ?? {}).map((name) => [name, read(location, name)]))
  const inPath = pathNames.map((name) => read('path', name))
  const content = body && sentSchema(body)
  const sentBody = args.body !== undefined && { body: withBigints(content ? [content] : [], args.body) }
  return { inPath, input: { query: part('query'), headers: part('header'), ...sentBody } }
}
