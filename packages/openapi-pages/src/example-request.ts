// The request that an operation's examples describe.

import {
  type Exampled,
  exampleValue,
  inputParts,
  isExact,
  type Operation,
  type Parameter,
  type Schema,
} from 'exact-openapi'

/** The parameters in the shape that handlers take; `type` is the media type of the body. */
export interface ExampleRequest {
  path: Record<string, unknown>
  query: Record<string, unknown>
  headers: Record<string, unknown>
  body?: unknown
  type?: string | undefined
}

/** With every required parameter, and every other one that has an example; without cookies, which pages cannot set. */
export function exampleRequest({ parameters, body }: Operation): ExampleRequest {
  const request: ExampleRequest = { path: {}, query: {}, headers: {} }
  for (const parameter of parameters) {
    const { name, required, schema } = parameter
    const part = inputParts[parameter.in]
    const example = exampleIn(parameter) ?? (required ? exampleValue(schema) : undefined)
    const hasDigits = [schema, schema?.items].some((one) => one && isExact(one))
    if (part !== 'cookies' && example !== undefined) request[part][name] = hasDigits ? exact(example) : example
  }
  const media = body?.media[0]
  if (!media) return request
  const example = exampleIn(media) ?? (body.required ? exampleValue(media.schema) : undefined)
  return { ...request, type: media.type, body: example }
}

function exampleIn({ examples, schema }: Exampled & { schema: Schema | undefined }): unknown {
  return examples.length > 0 ? examples[0]?.value : schema?.example
}

const exact = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(exact) : Number.isInteger(value) ? BigInt(value as number) : value

/** The path with its parameters, and the query. */
export function targetOf(
  { path: template, parameters }: Pick<Operation, 'path' | 'parameters'>,
  { path, query }: Pick<ExampleRequest, 'path' | 'query'>,
): string {
  const filled = template.replace(/\{([^}]+)\}/g, (_, name) => joined(path[name]))
  const isJoined = (name: string) =>
    parameters.some((one: Parameter) => one.in === 'query' && one.name === name && !one.explode)
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const texts = isJoined(name) ? [joined(value)] : [value].flat().map(encoded)
    return texts.map((text) => `${encoded(name)}=${text}`)
  })
  return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled
}

const encoded = (value: unknown) => encodeURIComponent(String(value))
const joined = (value: unknown) => [value].flat().map(encoded).join(',')
