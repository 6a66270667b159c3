// Completes a document so that each operation responds with what it got.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Document, operationsOf, type Parameter, resolve } from '../../../spec/model/document.ts'

const problem = { $ref: '#/components/responses/Problem' }
const problemStatuses = [400, 404, 405, 406, 412, 413, 414, 415, 417, 431, 501]
const keys = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' }

export const names = ['petstore', 'styles'] as const

export function echoing(name: (typeof names)[number]): Document {
  const document: Document = parse(readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8'))
  for (const { path, operation } of operationsOf(document)) {
    const parameters = [...(document.paths[path]?.parameters ?? []), ...(operation.parameters ?? [])]
    const schema: { type: string; properties: Record<string, object> } = { type: 'object', properties: {} }
    for (const parameter of parameters.map((one) => resolve<Parameter>(one, document))) {
      const key = keys[parameter.in as keyof typeof keys]
      schema.properties[key] ??= { type: 'object', properties: {} }
      Object.assign((schema.properties[key] as { properties: object }).properties, {
        [parameter.name]: parameter.schema,
      })
    }
    const [[type, media] = []] = Object.entries(resolve(operation.requestBody, document).content ?? {})
    if (type !== undefined && type !== 'application/octet-stream') schema.properties.body = media?.schema ?? {}
    const content = { 'application/json': { schema } }
    operation.security = []
    operation.responses = {
      200: { description: 'What the operation got.', content },
      ...Object.fromEntries(problemStatuses.map((status) => [status, problem])),
    } as never
  }
  const error = {
    type: 'object',
    required: ['code', 'message', 'status'],
    properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
  }
  const Problem = { description: 'A problem.', content: { 'application/json': { schema: error } } }
  return { ...document, components: { ...document.components, responses: { Problem } } } as Document
}

/** A binary body as its size. */
export async function echo(input: Record<string, unknown>) {
  const { body, ...others } = input
  return { status: 200, body: Buffer.isBuffer(body) ? { ...others, size: body.length } : input }
}
