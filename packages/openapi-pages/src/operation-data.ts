// What the form in the browser needs of an operation, as JSON.
import { type Model, type Operation, type Parameter, plainSchema, type Schema } from 'exact-openapi/model'
import { stringifyExactly } from '#browser/json.js'
import { callableOf } from './code-samples/call.ts'
import { encodingOf, isFileBody } from './encoding.ts'
import { bodyExample, exampleRequest } from './example-request.ts'
import { ofOperation } from './extensions.ts'

export function operationData(model: Model, operation: Operation): string {
  const { body, isSafe } = operation
  const callable = callableOf(model, operation)
  const { encoding: _, ...input } = exampleRequest(operation)
  const { accept } = callable
  const parameters = accept.length > 1 ? [...operation.parameters, acceptOf(accept)] : operation.parameters
  const { plain, schemas } = plainSchemas()
  return stringifyExactly({
    ...callable,
    parameters: parameters.map(({ examples, ...parameter }) => ({ ...parameter, schema: plain(parameter.schema) })),
    isSafe,
    body: body && {
      required: body.required,
      media: body.media.map((media) => ({
        type: media.type,
        schema: plain(media.schema),
        ...(isFileBody(media) ? { isFile: true } : { example: bodyExample(media).value }),
        encoding: encodingOf(media),
      })),
    },
    /** Those of the document are not written anew. */
    hasOwnSamples: ofOperation(operation)['x-codeSamples'] !== undefined,
    input,
    schemas,
  })
}

/** The types of a result are a choice, like a parameter. */
const acceptOf = (types: readonly string[]): Parameter => ({
  ...{ name: 'Accept', in: 'header', style: 'simple', explode: false, required: true, type: undefined, examples: [] },
  ...{ description: '', deprecated: false, allowEmptyValue: false },
  schema: { pointer: '', type: 'string', enum: [...types], example: types[0] },
})

type Plain = Record<string, unknown>

/** Schemas with references to those that are shared, which are collected by their pointers. */
function plainSchemas() {
  const schemas: Record<string, Plain> = {}

  const plain = (schema: Schema | undefined) => schema && part(schema)

  function part(schema: Schema): Plain {
    const { pointer, name, isShared } = schema
    if (!isShared && name === undefined) return copy(schema)
    if (!(pointer in schemas)) {
      schemas[pointer] = {} // before its parts, which may lead back to it
      schemas[pointer] = copy(schema)
    }
    return { $ref: pointer }
  }

  function copy(schema: Schema): Plain {
    const { name, discriminator } = schema
    const keywords = Object.entries(plainSchema(schema, part)).filter(([key]) => !unused.has(key))
    const choices = discriminator?.choices.map((choice) => ({ ...choice, schema: part(choice.schema) }))
    return {
      ...(name !== undefined && { name }),
      ...Object.fromEntries(keywords),
      ...(discriminator && { discriminator: { ...discriminator, choices } }),
    }
  }
  return { plain, schemas }
}

const unused = new Set(['description', 'title', 'examples', 'externalDocs'])
