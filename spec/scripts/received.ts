// The requests that handlers receive, as a document of their own: the server adds what has a default and removes what is
// readOnly, so their types differ from those of clients.
import {
  type Body,
  type Document,
  modelOf,
  type Parameter,
  plainSchema,
  propertyOf,
  type Schema,
} from '../model/index.ts'

type Node = Record<string, unknown>

/** Only the operations whose requests differ, with the schemas that they refer to, and without responses. */
export function receivedDocument(document: Document) {
  const paths: Record<string, Node> = {}
  const schemas: Record<string, Node> = {}
  for (const { id, path, method, parameters, body } of modelOf(document).operations) {
    const received = receiver()
    const request = {
      operationId: id,
      parameters: parameters.map(received.parameter),
      ...(body && { requestBody: received.body(body) }),
      responses: {},
    }
    if (!received.isDifferent()) continue
    paths[path] = { ...paths[path], [method.toLowerCase()]: request }
    Object.assign(schemas, received.schemas)
  }
  return { openapi: '3.0.3', info: { title: '', version: '' }, paths, components: { schemas } }
}

/** The parts of one request. */
function receiver() {
  const schemas: Record<string, Node> = {}
  let isDifferent = false

  /** Like the contract, it adds nothing within alternatives, unless a discriminator chooses one. */
  function write(schema: Schema, isFilled: boolean): Node {
    const { discriminator, oneOf, anyOf, not, properties = {}, required = [], ...others } = schema
    const kept = Object.entries(properties).filter(([, { readOnly }]) => !readOnly)
    const filled = isFilled ? kept.filter(([, { default: value }]) => value !== undefined) : []
    const sent = required.filter((name) => !propertyOf(schema, name).readOnly)
    const present = [...new Set([...sent, ...filled.map(([name]) => name)])]
    isDifferent ||= kept.length < Object.keys(properties).length || present.length > required.length
    const chosen = discriminator?.choices.map(({ schema: one, values }) => ({
      allOf: [part(one, isFilled), choice(discriminator.propertyName, values)],
    }))
    const alternatives = chosen ?? (oneOf ?? anyOf)?.map((one) => part(one, false))
    return {
      ...plainSchema(others, (one) => part(one, isFilled)),
      ...(kept.length > 0 && {
        properties: Object.fromEntries(kept.map(([name, one]) => [name, part(one, isFilled)])),
      }),
      ...(present.length > 0 && { required: present }),
      ...(alternatives && { oneOf: alternatives }),
    }
  }

  function part(schema: Schema, isFilled: boolean): Node {
    if (!schema.isShared) return write(schema, isFilled)
    const name = `${schema.name ?? schema.pointer}${isFilled ? '' : ' without defaults'}`
    if (!Object.hasOwn(schemas, name)) {
      schemas[name] = {} // before its parts are written: they may refer to it
      schemas[name] = write(schema, isFilled)
    }
    return { $ref: `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` }
  }

  return {
    schemas,
    isDifferent: () => isDifferent,
    parameter({ name, in: place, required, schema = { pointer: '' } }: Parameter): Node {
      const isFilled = schema.default !== undefined
      isDifferent ||= isFilled && !required
      return { name, in: place, required: required || isFilled, schema: part(schema, true) }
    },
    body({ required, media }: Body): Node {
      const content = media.map(({ type, schema = { pointer: '' } }) => [type, { schema: part(schema, true) }])
      return { required, content: Object.fromEntries(content) }
    },
  }
}

const choice = (property: string, values: readonly string[]) => ({
  type: 'object',
  required: [property],
  properties: { [property]: { type: 'string', enum: values } },
})
