// The request that an operation's examples describe.
import { type Document, type Operation, parametersOf, resolve, type Schema } from './model/document.ts'

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
  for (const parameter of parametersOf(document, path, operation)) {
    const part = places[parameter.in as keyof typeof places]
    const example = exampleIn(document, parameter)
    const { format, items } = resolve<Schema & { items?: Schema }>(parameter.schema, document)
    const isExact = (format ?? resolve<Schema>(items, document).format) === 'int64'
    if (part && (parameter.required || example !== undefined)) {
      request[part][parameter.name] = isExact && example !== undefined ? exact(example) : example
    }
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

function exampleIn(document: Document, { example, examples, schema }: Described): unknown {
  const [first] = Object.values(examples ?? {})
  return example ?? (first ? resolve<{ value?: unknown }>(first, document).value : resolve(schema, document).example)
}

const exact = (value: unknown): unknown => (Array.isArray(value) ? value.map(exact) : BigInt(value as number))

/** The path with its parameters, and the query. */
export function targetOf(template: string, { path, query }: Pick<ExampleRequest, 'path' | 'query'>): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs)}` : filled
}
