// Writes the schemas of the model as JSON, for the library that generates types.
import {
  alternativesOf,
  anything,
  certain,
  decidedBy,
  fieldsOf,
  isExact,
  isHidden,
  isJson,
  isMultipart,
  leadsTo,
  type Media,
  type Operation,
  type Parameter,
  plainSchema,
  propertyOf,
  reachable,
  type Schema,
  type SchemaTest,
  withAllOf,
} from '../model/index.ts'

export type Node = Record<string, unknown>

/** The format of a number whose integers are bigints. */
export const BIGINTS = 'number or bigint'
/** That of bytes: a file in a form, or a whole body. */
export const BYTES = 'bytes'

/** The library reads the operationId as a part of a reference: what has a meaning there has another character. */
export const asKey = (id: string) => id.replaceAll(/[#%]/g, (text) => String.fromCharCode(PRIVATE + text.charCodeAt(0)))
const PRIVATE = 0xe000
/** The same in printed text, which escapes characters beyond ASCII. */
export const withKeys = (text: string) =>
  text.replaceAll(/\\uE0(2[35])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

/** One way to write schemas. */
export interface View {
  place: 'request' | 'response'
  /** What the name of a schema ends with, where another view writes it differently. */
  suffixOf(schema: Schema): string
  /** Properties that have a default are required: those within alternatives only where one of them is certain or chosen. */
  isFilled?: boolean
  /** Files are bytes, not text. */
  hasFiles?: boolean
}

/** Writes parts, and the definitions that they refer to. @param isFilled whether defaults change a schema */
export function writer(isFilled?: SchemaTest) {
  const waiting = new Map<string, () => Node>()
  const hasFile = leadsTo(isFile)
  const suffixed = (view: View, isOther: SchemaTest | undefined, suffix: string): View['suffixOf'] => {
    return (schema) => `${view.suffixOf(schema)}${isOther?.(schema) ? suffix : ''}`
  }
  const unfilled = (view: View): View => ({
    ...view,
    isFilled: false,
    suffixOf: suffixed(view, isFilled, ' without defaults'),
  })
  const withFiles = (view: View): View => ({ ...view, hasFiles: true, suffixOf: suffixed(view, hasFile, ' in forms') })

  /** A component, or another name of one. */
  function define(name: string, schema: Schema, view: View): void {
    waiting.set(name, () => (schema.name === name ? written(schema, view) : part(schema, view)))
  }

  function part(schema: Schema, view: View): Node {
    if (!schema.isShared && schema.name === undefined) return written(schema, view)
    const name = `${schema.name ?? schema.pointer}${view.suffixOf(schema)}`
    if (!waiting.has(name)) waiting.set(name, () => written(schema, view))
    return refTo('schemas', name)
  }

  function written(schema: Schema, view: View): Node {
    const { discriminator, oneOf, anyOf, not, ...others } = schema
    const { properties, required } = fieldsOf(schema, view.place)
    const allOf = schema.allOf && [...schema.allOf.filter(isMore), ...requiredApart(schema, view.place)]
    const filled = view.isFilled ? Object.keys(properties).filter((name) => hasDefault(properties[name])) : []
    const filledBranches = new Set([...certain(schema), ...decidedBy(schema).map((choice) => choice.schema)])
    const viewOf = (branch: Schema) => (view.isFilled && !filledBranches.has(branch) ? unfilled(view) : view)
    const alternatives = (oneOf ?? anyOf)?.map((branch) => part(branch, viewOf(branch)))
    return {
      ...plainSchema(
        {
          ...others,
          ...itemsOf(schema),
          ...valuesOf(schema),
          ...(schema.properties && { properties }),
          ...(allOf && { allOf }),
        },
        (branch) => part(branch, view),
      ),
      required: [...new Set([...required, ...filled])],
      ...(alternatives && { oneOf: alternatives }),
      ...((isExact(schema) || schema.hasBigints) && { enum: undefined }), // the values of the library are numbers
      ...(schema.hasBigints && { format: BIGINTS }),
      ...(view.hasFiles && isFile(schema) && { type: 'string', format: BYTES }),
    }
  }

  function media(all: readonly Media[], view: View): Node {
    const schemaOf = ({ type, schema = anything }: Media) => {
      if (isMultipart(type)) return part(schema, withFiles(view))
      const isBytes = schema.type === 'string' && schema.format === 'binary'
      if (!isBytes) return part(schema, view)
      return written(schema, isJson(type) ? view : withFiles(view)) // within JSON they are text
    }
    return Object.fromEntries(all.map((one) => [one.type, { schema: schemaOf(one) }]))
  }

  function parameter({ schema = anything, ...location }: Parameter, view: View): Node {
    const required = location.required || (view.isFilled && hasDefault(schema))
    const { name, in: place, description, deprecated, examples } = location
    return {
      name,
      in: place,
      description,
      required,
      deprecated,
      example: withoutRefs(examples[0]?.value),
      schema: part(schema, view),
    }
  }

  const request = ({ id, parameters, body }: Operation, view: View): Node => ({
    operationId: asKey(id),
    parameters: parameters.map((one) => parameter(one, view)),
    ...(body && { requestBody: { ...body, media: undefined, content: media(body.media, view) } }),
    responses: {},
  })
  /** More are found while they are written. */
  function definitions(): Node {
    const all: Node = {}
    for (const [name, written] of waiting) all[name] = written()
    return all
  }
  return { define, part, media, request, definitions }
}

const isFile = ({ format, contentMediaType }: Schema) => format === 'binary' || contentMediaType !== undefined

/** TypeScript has no name for an item of an array that is that array, without an object between. */
function itemsOf(schema: Schema): Partial<Schema> {
  const { items, prefixItems } = schema
  const within = (part: Schema) => [
    ...alternativesOf(part),
    ...(part.prefixItems ?? []),
    ...(part.items ? [part.items] : []),
  ]
  const named = (part: Schema) => (reachable([part], within).has(schema) ? anything : part)
  return { ...(items && { items: named(items) }), ...(prefixItems && { prefixItems: prefixItems.map(named) }) }
}

/** The library takes an object with a `$ref` for a reference, also where it is a value. */
const withoutRefs = (value: unknown) => (hasRef(value) ? undefined : value)
const hasRef = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('$ref' in value || Object.values(value).some(hasRef))

/** What a schema has beside its parts. */
function valuesOf(schema: Schema): Partial<Schema> {
  const values = Object.entries(schema).filter(([key]) => key.startsWith('x-') || isValueKey(key))
  return Object.fromEntries(values.map(([key, value]) => [key, withoutRefs(value)]))
}
const isValueKey = (key: string) => /^(example|examples|default|enum)$/.test(key)

export const hasDefault = (schema: Schema | undefined) => schema?.default !== undefined

export const refTo = (kind: 'schemas' | 'responses', name: string) => ({
  $ref: `#/components/${kind}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
})

/** A part that has more than names of properties that other parts describe. */
const isMore = ({ pointer, required, ...others }: Schema) => !required || Object.keys(others).length > 0

/** The properties that one part of an object requires of another. */
function requiredApart(schema: Schema, direction: View['place']): Schema[] {
  const parts = withAllOf(schema)
  const names = parts.flatMap(({ required = [], properties = {} }) =>
    required.filter((name) => !Object.hasOwn(properties, name)),
  )
  const fields = names.map((name) => [name, propertyOf(schema, name)] as const)
  const known = fields.filter(([, part]) => part !== anything && !isHidden(part, direction))
  if (known.length === 0) return []
  const required = known.map(([name]) => name)
  const pointer = `${schema.pointer} required`
  const nullable = parts.some((part) => part.nullable)
  return [{ pointer, type: 'object', nullable, required, properties: Object.fromEntries(known) }]
}

export const schemasIn = (media: readonly Media[] = []) => media.flatMap(({ schema }) => schema ?? [])
