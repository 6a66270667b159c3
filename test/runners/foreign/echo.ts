// Completes a document so that each operation responds with what it got.
import { readFileSync } from 'node:fs'
import type { Document } from 'exact-openapi'
import { modelOf, type Operation, plainSchema, type Schema } from 'exact-openapi/model'
import { parse } from 'yaml'
import type { Written } from '../../fixtures/app.ts'

const keys = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' }

/** Those with examples. */
export const names = ['petstore', 'styles'] as const

export function echoing(name: (typeof names)[number] | 'keywords' | 'keywords-3.1'): Document {
  const written: Written = parse(readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8'))
  for (const operation of modelOf(structuredClone(written) as unknown as Document).operations) {
    const content = { 'application/json': { schema: echoSchema(operation) } }
    const responses = { 200: { description: 'What the operation got.', content } }
    const target = written.paths[operation.path]?.[operation.method.toLowerCase() as 'get'] ?? {}
    Object.assign(target, { security: [], responses })
  }
  return written as unknown as Document
}

function echoSchema({ parameters, body }: Operation): object {
  const properties: Record<string, object> = {}
  for (const [place, key] of Object.entries(keys)) {
    const fields = parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, written(schema)])
    if (fields.length > 0) properties[key] = { type: 'object', properties: Object.fromEntries(fields) }
  }
  const [media] = body?.media ?? []
  if (media && media.type !== 'application/octet-stream') properties.body = written(media.schema)
  return { type: 'object', properties }
}

/** As its author would write it, with a reference for a component. */
function written(schema: Schema | undefined): object {
  const refTo = ({ name }: Schema) => (name === undefined ? undefined : { $ref: `#/components/schemas/${name}` })
  return schema ? (refTo(schema) ?? plainSchema(schema, refTo)) : {}
}

/** A binary body as its size. */
export async function echo(input: Record<string, unknown>) {
  const { body, ...others } = input
  return { status: 200, body: Buffer.isBuffer(body) ? { ...others, size: body.length } : input }
}
