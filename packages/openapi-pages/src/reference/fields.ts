// Parameters, headers and the properties of schemas as fields.

import type { Header, Parameter, Response, Schema } from 'exact-openapi'
import { stringify } from 'lossless-json'
import { distinctFrom } from './ids.ts'
import { type Type, typeOf } from './types.ts'

export interface Field {
  id: string
  /** A field within another has the names of both: `address.city`, and `items[].id` within an array. */
  name: string
  /** Of a parameter: `path`. */
  place: string
  type: Type
  isRequired: boolean
  description: string
  example: string | undefined
  /** What an object, or an array of objects, has within it. */
  content: Content
}

export interface Content {
  fields: readonly Field[]
  /** Of `oneOf` or `anyOf`. */
  alternatives: readonly Alternative[]
}

export interface Alternative extends Content {
  /** The value of the discriminator that chooses it, or its type. */
  name: string
  type: Type
}

export const nothing: Content = { fields: [], alternatives: [] }

/** Makes the ids of fields. Two may have one name: in the path and in the query, or in two alternatives. */
export function idMaker(taken: Iterable<string> = []): (owner: string, name: string) => string {
  const distinct = distinctFrom(taken)
  return (owner, name) => distinct(`${owner}-${name}`.replace(/\s+/g, '-'))
}

/** @param taken ids of other parts of the operation */
export function parameterFields(owner: string, parameters: readonly Parameter[], taken: readonly string[]): Field[] {
  const idOf = idMaker(taken)
  return parameters.map((parameter) => {
    const { name, explode, deprecated } = parameter
    const { type, ...field } = fieldOf(idOf(owner, name), name, parameter)
    const isJoined = type.isArray && !explode && parameter.in === 'query'
    const more = [isJoined && 'joined by commas', deprecated && 'deprecated'].filter((text) => text !== false)
    return { ...field, place: parameter.in, type: { ...type, constraints: [...type.constraints, ...more] } }
  })
}

export function headerFields(owner: string, { headers }: Response): Field[] {
  return headers.map((header) => fieldOf(`${owner}-${header.name}`, header.name, header))
}

export function propertyField(id: string, name: string, schema: Schema, required: boolean, content: Content): Field {
  return { ...fieldOf(id, name, { schema, required, description: '', examples: [] }), content }
}

type Described = Pick<Header, 'schema' | 'required' | 'description' | 'examples'>

function fieldOf(id: string, name: string, { schema, required, description, examples }: Described): Field {
  return {
    id,
    name,
    place: '',
    type: typeOf(schema),
    isRequired: required,
    description: description || (schema?.description ?? ''),
    example: exampleText(examples[0]?.value ?? schema?.example),
    content: nothing,
  }
}

/** Also those within others; those of an alternative have its name as their place. */
export function allFields({ fields, alternatives }: Content, place?: string): Field[] {
  return [
    ...fields.flatMap((field) => [{ ...field, place: place ?? field.place }, ...allFields(field.content, place)]),
    ...alternatives.flatMap((one) => allFields(one, one.name)),
  ]
}

/** JSON, or plain text for a string. */
function exampleText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : stringify(value)
}
