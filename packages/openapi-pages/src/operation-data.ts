// What the form in the browser needs of an operation, as JSON.
import type { Model, Operation, Schema } from 'exact-openapi'
import { stringifyExactly } from '#browser/json.js'
import { callableOf } from './code-samples/call.ts'
import { bodyExample, exampleRequest } from './example-request.ts'
import { ofOperation } from './extensions.ts'

export function operationData(model: Model, operation: Operation): string {
  const { parameters, body, isSafe } = operation
  const { plain, schemas } = plainSchemas(new Set(model.sharedSchemas))
  return stringifyExactly({
    ...callableOf(model, operation),
    parameters: parameters.map(({ examples, ...parameter }) => ({ ...parameter, schema: plain(parameter.schema) })),
    isSafe,
    body: body && {
      required: body.required,
      media: body.media.map((media) => ({
        type: media.type,
        schema: plain(media.schema),
        example: bodyExample(media),
      })),
    },
    /** Those of the document are not written anew. */
    hasOwnSamples: ofOperation(operation)['x-codeSamples'] !== undefined,
    input: exampleRequest(operation),
    schemas,
  })
}

/** Schemas with references to those that are shared, which are collected by their pointers. */
function plainSchemas(shared: ReadonlySet<unknown>) {
  const schemas: Record<string, unknown> = {}
  const isSchema = (node: object): node is Schema => 'pointer' in node && typeof node.pointer === 'string'

  function plain(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(plain)
    if (typeof node !== 'object' || node === null) return node
    if (!shared.has(node) || !isSchema(node)) return copy(node)
    if (!(node.pointer in schemas)) {
      schemas[node.pointer] = {} // before its parts, which may lead back to it
      schemas[node.pointer] = copy(node)
    }
    return { $ref: node.pointer }
  }

  const copy = (node: object) =>
    Object.fromEntries(
      Object.entries(node)
        .filter(([key]) => !(isSchema(node) && unused.has(key)))
        .map(([key, child]) => [key, isSchema(node) && values.has(key) ? child : plain(child)]),
    )
  return { plain, schemas }
}

const unused = new Set(['pointer', 'description', 'title', 'examples', 'externalDocs', 'isShared'])
const values = new Set(['example', 'default', 'enum'])
