// The request that an operation's examples describe.
import { type Exampled, exampleValue, inputParts, isExact, type Operation, type Schema } from 'exact-openapi'
import type { Input } from '#browser/request.js'

export { targetOf } from '#browser/request.js'

/** The parameters in the shape that handlers take; `type` is the media type of the body. */
export type ExampleRequest = Input

/** With every required parameter, and every other one that has an example. */
export function exampleRequest({ parameters, body }: Operation): ExampleRequest {
  const request: ExampleRequest = { path: {}, query: {}, headers: {}, cookies: {} }
  for (const parameter of parameters) {
    const { name, required, schema } = parameter
    const example = exampleIn(parameter) ?? (required ? exampleValue(schema) : undefined)
    const hasDigits = [schema, schema?.items].some((one) => one && isExact(one))
    if (example !== undefined) request[inputParts[parameter.in]][name] = hasDigits ? exact(example) : example
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
