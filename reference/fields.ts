// Parameters, headers, schemas and their properties.
import type { Document, Header, Parameter, Response, Schema } from '../spec/document.ts'
import { resolve } from './resolve.ts'
import type { Field, SchemaPart } from './tree.ts'
import { typeOf } from './types.ts'

export function fieldsOf(document: Document, owner: string, parameters: readonly Parameter[]): Field[] {
  return parameters.map((parameter) => fieldOf(document, owner, parameter.name, parameter))
}

export function headersOf(document: Document, owner: string, { headers = {} }: Response): Field[] {
  return Object.entries(headers).map(([name, header]) =>
    fieldOf(document, owner, name, resolve<Header>(document, header).value),
  )
}

export function schemasOf(document: Document): SchemaPart[] {
  return Object.entries(document.components?.schemas ?? {}).map(([name, given]) => {
    const { value: schema } = resolve<Schema>(document, given)
    const id = `schema-${name}`
    const { properties = {}, required = [], description = '', example } = schema
    return {
      id,
      name,
      description,
      type: typeOf(document, schema),
      fields: Object.entries(properties).map(([property, child]) => {
        const { description, example } = resolve<Schema>(document, child).value
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

function fieldOf(document: Document, owner: string, name: string, described: Header): Field {
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

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
