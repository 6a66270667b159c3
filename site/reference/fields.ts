// Parameters, headers, bodies and schemas, with their types in words. Every keyword of a schema is in one of them.
import { stringify } from 'lossless-json'
import type { Header, Media, Model, Parameter, Response, Schema } from '../../spec/model/index.ts'
import { constraintsOf, typeName } from './types.ts'

/** A type in words. */
export interface Type {
  /** `64-bit integer`; of an array, the type of its items. */
  name: string
  isArray: boolean
  /** The schema of that name. */
  schemaId: string | undefined
  /** `−128 to 127`, `pattern ^@\d+$`: plain text. */
  constraints: readonly string[]
  /** The known values; later versions may add some. */
  values: readonly string[]
}

export interface Field {
  id: string
  /** A field within another has the names of both: `address.city`, and `items[].id` within an array. */
  name: string
  /** Of a parameter: `in query`, `joined by commas`. */
  place: readonly string[]
  type: Type
  isRequired: boolean
  description: string
  example: string | undefined
}

export function parameterFields(owner: string, parameters: readonly Parameter[]): Field[] {
  const fields = parameters.map((parameter) => {
    const field = fieldOf(owner, parameter.name, parameter)
    const joined = field.type.isArray && !parameter.explode && parameter.in === 'query' && 'joined by commas'
    const place = [`in ${parameter.in}`, joined, parameter.deprecated && 'deprecated'].filter((text) => text !== false)
    return { ...field, place }
  })
  return withOwnIds(fields)
}

/**
 * Two may have one name: in the path and in the query, or in two variants.
 * @param counts how many parts have an id already
 */
export function withOwnIds(fields: readonly Field[], counts = new Map<string, number>()): Field[] {
  return fields.map((field) => {
    const count = (counts.get(field.id) ?? 0) + 1
    counts.set(field.id, count)
    return count === 1 ? field : { ...field, id: `${field.id}-${count}` }
  })
}

export function headerFields(owner: string, { headers }: Response): Field[] {
  return headers.map((header) => fieldOf(owner, header.name, header))
}

function fieldOf(
  owner: string,
  name: string,
  { schema, required, description, examples }: Omit<Header, 'name'>,
): Field {
  return {
    id: `${owner}-${name}`.replace(/\s+/g, '-'),
    name,
    place: [],
    type: typeOf(schema),
    isRequired: required,
    description: description || (schema?.description ?? ''),
    example: exampleText(examples[0]?.value ?? schema?.example),
  }
}

export function schemasOf({ schemas }: Model) {
  const counts = new Map([...schemas.keys()].map((name) => [`schema-${name}`, 1]))
  return [...schemas].map(([name, schema]) => ({
    id: `schema-${name}`,
    name,
    description: schema.description ?? '',
    type: { ...typeOf({ ...schema, name: undefined }), schemaId: undefined },
    fields: withOwnIds(propertiesOf(`schema-${name}`, schema), counts),
    example: schema.example === undefined ? undefined : exampleOf(schema.example),
  }))
}

/** A body as it is sent with one media type. The fields are those that no named schema describes. */
export function bodyOf(owner: string, { type: mediaType, schema, examples }: Media) {
  const isJson = /[/+]json\b/.test(mediaType)
  const given = examples.length > 0 ? examples : [{ name: 'example', summary: undefined, value: schema?.example }]
  return {
    mediaType,
    type: typeOf(schema),
    fields: schema?.name === undefined ? withOwnIds(propertiesOf(owner, schema)) : [],
    examples: given
      .filter(({ value }) => value !== undefined)
      .map(({ name, summary, value }) => ({
        name,
        summary: summary ?? (name === 'example' ? 'Example' : name),
        text: isJson || typeof value !== 'string' ? exampleOf(value) : value,
        lang: isJson ? 'json' : 'text',
      })),
  }
}

/** The properties of a schema and of all that it is composed of; a nested schema without a name is opened in place. */
function propertiesOf(owner: string, schema: Schema | undefined, prefix = '', variant = ''): Field[] {
  if (!schema) return []
  const { properties = {}, required = [], items, additionalProperties: others, allOf = [], oneOf, anyOf } = schema
  const own = Object.entries(properties).flatMap(([key, one]) => {
    const name = `${prefix}${key}`
    const described = {
      required: required.includes(key),
      description: one.description ?? '',
      schema: one,
      examples: [],
    }
    const { type, ...field } = fieldOf(`${owner}${variant && `-${variant}`}`, name, described as never)
    const constraints = variant ? [`in ${variant}`, ...type.constraints] : type.constraints
    return [{ ...field, type: { ...type, constraints } }, ...nested(one, name)]
  })
  function nested(child: Schema, name: string): Field[] {
    const isOpened = child.name === undefined && child.type !== 'array'
    if (isOpened) return propertiesOf(owner, child, `${name}.`, variant)
    return child.type === 'array' && child.name === undefined ? nested(child.items as Schema, `${name}[]`) : []
  }
  const unnamed = (one: Schema) => one.name === undefined
  const variants = (oneOf ?? anyOf ?? []).flatMap((one, at) =>
    unnamed(one) ? propertiesOf(owner, one, prefix, variant ? `${variant}.${at + 1}` : `variant ${at + 1}`) : [],
  )
  return [
    ...own,
    ...allOf.flatMap((one) => propertiesOf(owner, one, prefix, variant)),
    ...variants,
    ...(schema.type === 'array' && items && prefix === '' && unnamed(items) ? nested(items, '[]') : []),
    ...(typeof others === 'object' && unnamed(others) ? nested(others, `${prefix}*`) : []),
  ]
}

export function typeOf(schema: Schema | undefined): Type {
  if (!schema) return { name: 'any', isArray: false, schemaId: undefined, constraints: [], values: [] }
  const { type, items, name } = schema
  if (type === 'array' && items) {
    const of = typeOf(items)
    const nestedName = of.isArray ? `array of ${of.name}` : of.name
    return { ...of, name: nestedName, isArray: true, constraints: [...of.constraints, ...constraintsOf(schema)] }
  }
  const values: readonly unknown[] = schema.enum ?? schema['x-extensible-enum'] ?? []
  return {
    name: typeName(schema),
    isArray: false,
    schemaId: name === undefined ? undefined : `schema-${name}`,
    constraints: constraintsOf(schema),
    values: values.map(String),
  }
}

/** With all digits of an int64. */
export function exampleOf(value: unknown): string {
  return String(stringify(value, null, 2))
}

/** JSON, or plain text for a string. */
function exampleText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : stringify(value)
}
