// Parameters, headers and the properties of schemas as fields.

import type { ExternalDocs, Header, Parameter, Schema } from 'exact-openapi/model'
import { stringify } from 'lossless-json'
import { examplesIn } from '../example-request.ts'
import type { Ids } from './ids.ts'
import { linkText, paragraphs } from './texts.ts'
import { type Type, typeOf } from './types.ts'

export interface Field {
  id: string
  /** A field within another has the names of both: `address.city`, and `items[].id` within an array. */
  name: string
  /** Its own name alone: `city`. */
  key: string
  /** Of a parameter: `path`. */
  location: string
  type: Type
  isRequired: boolean
  /** Not a field, but what holds of the value: `if`. */
  isCondition: boolean
  description: string
  examples: readonly string[]
  /** What an object, or an array of objects, has within it. */
  content: Content
}

export interface Content {
  fields: readonly Field[]
  /** Of `oneOf` or `anyOf`, or the schemas that extend one with a discriminator. */
  alternatives: readonly Alternative[]
}

export interface Alternative extends Content {
  id: string
  /** The value of the discriminator that chooses it, its title, or its type. */
  name: string
  description: string
  type: Type
}

export const nothing: Content = { fields: [], alternatives: [] }

export function parameterFields(ids: Ids, owner: string, parameters: readonly Parameter[]): Field[] {
  return parameters.map((parameter) => {
    const { name, deprecated, allowEmptyValue, type: mediaType } = parameter
    const { type, ...field } = fieldOf(ids(`${owner}-${name}`), name, parameter)
    const more = [
      styleOf(parameter, type),
      mediaType !== undefined && `as ${mediaType}`,
      allowEmptyValue && 'may be empty',
      deprecated && 'deprecated',
    ].filter((text) => typeof text === 'string')
    return { ...field, location: parameter.in, type: { ...type, constraints: [...type.constraints, ...more] } }
  })
}

const styles: Record<string, string> = {
  spaceDelimited: 'joined by spaces',
  pipeDelimited: 'joined by |',
  deepObject: 'each field as name[field]',
  label: 'with a dot before each value',
  matrix: 'as ;name=value',
}

/** How several values are written, unless as everyone expects. */
function styleOf({ explode, style, in: location }: Parameter, { isArray }: Type): string | false {
  return styles[style] ?? (isArray && !explode && location === 'query' && 'joined by commas')
}

export function headerFields(ids: Ids, headers: readonly Header[]): Field[] {
  return headers.map((header) => {
    const { type, ...field } = fieldOf(ids(`headers-${header.name}`), header.name, header)
    return {
      ...field,
      type: header.deprecated ? { ...type, constraints: [...type.constraints, 'deprecated'] } : type,
    }
  })
}

export function propertyField(
  id: string,
  { name, key }: Pick<Field, 'name' | 'key'>,
  schema: Schema,
  required: boolean,
  content: Content,
): Field {
  return { ...fieldOf(id, name, { schema, required, description: '', examples: [] }), key, content }
}

type Described = Pick<Header, 'schema' | 'required' | 'description' | 'examples'>

function fieldOf(id: string, name: string, { schema, required, description, examples }: Described): Field {
  const values = examples.map(({ value, externalValue }) => value ?? externalValue)
  const written = values.length > 0 ? values : examplesIn(schema)
  return {
    id,
    name,
    key: name,
    location: '',
    type: typeOf(schema),
    isRequired: required,
    isCondition: false,
    description: paragraphs(
      titleOf(name, schema),
      description || schema?.description,
      itemText(schema),
      docsOf(schema),
    ),
    examples: written.map(exampleText),
    content: nothing,
  }
}

/** Unless the name says the same. */
function titleOf(name: string, schema: Schema | undefined): string {
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const { title = '' } = schema ?? {}
  return schema?.name === undefined && !letters(name).endsWith(letters(title)) ? `*${title}*` : ''
}

/** A named schema is described in its own section. */
export function itemText({ items }: Partial<Schema> = {}): string {
  return items?.name === undefined && items?.description ? `Each item: ${items.description}` : ''
}

function docsOf(schema: Schema | undefined): string {
  const { externalDocs } = (schema ?? {}) as { externalDocs?: ExternalDocs }
  return linkText(externalDocs)
}

/** Also those within others; those of an alternative have its name as their place. */
export function allFields({ fields, alternatives }: Content, location?: string): Field[] {
  return [
    ...fields.flatMap((field) => [
      { ...field, location: location ?? field.location },
      ...allFields(field.content, location),
    ]),
    ...alternatives.flatMap((alternative) => allFields(alternative, alternative.name)),
  ]
}

export function allAlternatives({ fields, alternatives }: Content): Alternative[] {
  return [
    ...fields.flatMap(({ content }) => allAlternatives(content)),
    ...alternatives.flatMap((alternative) => [alternative, ...allAlternatives(alternative)]),
  ]
}

/** JSON, or plain text for a string. */
function exampleText(value: unknown): string {
  return typeof value === 'string' ? value : String(stringify(value))
}
