// The request that an operation's examples describe.
import { type Document, type Operation, type Parameter, resolve, type Schema } from './document.ts'

/** The parameters in the shape that handlers take; `type` is the media type of the body. */
export interface ExampleRequest {
  path: Record<string, unknown>
  query: Record<string, unknown>
  headers: Record<string, unknown>
  body?: unknown
  type?: string | undefined
}

const places = { path: 'path', query: 'query', header: 'headers' } as const

/** With every required parameter, and every other one that has an example. */
export function exampleRequest(document: Document, path: string, operation: Operation): ExampleRequest {
  const request: ExampleRequest = { path: {}, query: {}, headers: {} }
  for (const node of [...(document.paths[path]?.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolve<Parameter>(node, document)
    const part = places[parameter.in as keyof typeof places]
    const example = exampleIn(document, parameter)
    if (part && (parameter.required || example !== undefined)) request[part][parameter.name] = example
  }
  const { content = {} } = resolve<{ content?: object }>(operation.requestBody, document)
  const [[type, media] = []] = Object.entries(content)
  return type === undefined ? request : { ...request, type, body: exampleIn(document, media) }
}

interface Described {
  example?: unknown
  examples?: Record<string, { value?: unknown } | { $ref: string }>
  schema?: Schema | { $ref: string }
}

/** An int64 as a bigint. */
function exampleIn(document: Document, { example, examples, schema }: Described): unknown {
  const [first] = Object.values(examples ?? {})
  const { format, example: general } = resolve<Schema>(schema, document)
  const value = example ?? (first ? resolve<{ value?: unknown }>(first, document).value : general)
  return format === 'int64' && typeof value === 'number' ? BigInt(value) : value
}

/** The path with its parameters, and the query. */
export function targetOf(template: string, { path, query }: Pick<ExampleRequest, 'path' | 'query'>): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs)}` : filled
}
