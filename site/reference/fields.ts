// Parameters, headers, schemas and their properties, with their types in words.
import {
  type Document,
  type Header,
  type Parameter,
  type Response,
  resolve,
  type Schema,
} from '../../spec/model/document.ts'

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

export function fieldsOf(document: Document, owner: string, parameters: readonly Parameter[]) {
  return parameters.map((parameter) => fieldOf(document, owner, parameter.name, parameter))
}

export function headersOf(document: Document, owner: string, { headers = {} }: Response) {
  return Object.entries(headers).map(([name, header]) =>
    fieldOf(document, owner, name, resolve<Header>(header, document)),
  )
}

export function schemasOf(document: Document) {
  return Object.entries(document.components?.schemas ?? {}).map(([name, given]) => {
    const schema = resolve<Schema>(given, document)
    const id = `schema-${name}`
    const { properties = {}, required = [], description = '', example } = schema
    return {
      id,
      name,
      description,
      type: typeOf(document, schema),
      fields: Object.entries(properties).map(([property, child]) => {
        const { description, example } = resolve<Schema>(child, document)
        return fieldOf(document, id, property, {
          description: description ?? '',
          required: required.includes(property),
          schema: child,
          example,
        })
      }),
      example: example === undefined ? undefined : exampleOf(example),
    }
  })
}

/** A parameter, a header or a property. */
function fieldOf(document: Document, owner: string, name: string, described: Header) {
  const { schema = {}, required = false, description = '', example } = described
  return {
    id: `${owner}-${name}`,
    name,
    type: typeOf(document, schema),
    isRequired: required,
    description,
    example: example === undefined ? undefined : textOf(example),
  }
}

export function exampleOf(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** JSON, or plain text for a string. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const words: Record<string, string> = {
  int32: '32-bit integer',
  int64: '64-bit integer',
  date: 'date (ISO 8601)',
  'date-time': 'date and time (RFC 3339)',
}

export function typeOf(document: Document, given: Schema | { $ref: string }): Type {
  const schema = resolve<Schema>(given, document)
  const name = '$ref' in given ? given.$ref.split('/').at(-1) : undefined
  if (schema.type === 'array') return { ...typeOf(document, schema.items), isArray: true }
  const { type = 'any', format = '', 'x-extensible-enum': values = [] } = schema
  const isNamed = name !== undefined && type === 'object'
  return {
    name: isNamed ? name : (words[format] ?? type),
    isArray: false,
    schemaId: name === undefined ? undefined : `schema-${name}`,
    constraints: constraintsOf(schema),
    values: schema.enum ?? values,
  }
}

function constraintsOf({ minimum, maximum, pattern }: Schema): string[] {
  const range =
    maximum === undefined
      ? minimum !== undefined && `at least ${formatNumber(minimum)}`
      : minimum === undefined
        ? `at most ${formatNumber(maximum)}`
        : `${formatNumber(minimum)} to ${formatNumber(maximum)}`
  return [range, pattern !== undefined && `pattern ${pattern}`].filter((text) => text !== false)
}

/** With thousands separators and a true minus sign. */
function formatNumber(value: number): string {
  return value.toLocaleString('en').replace('-', '−')
}
