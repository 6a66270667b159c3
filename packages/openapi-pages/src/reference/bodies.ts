// Bodies of requests and responses, and the schemas that have a name.

import type { Media, Model, Schema } from 'exact-openapi'
import { stringify } from 'lossless-json'
import { bodyExample, sentOf } from '../example-request.ts'
import { lazy } from '../static/memoize.ts'
import { contentOf, type Options, ownContent } from './content.ts'
import { examplesIn, nothing } from './fields.ts'
import { schemaPaths } from './paths.ts'
import { code, linkText, list, paragraphs } from './texts.ts'
import { typeOf } from './types.ts'

/** One for each media type. Several may have the same schema: it is described once. */
export function formatsOf(owner: string, all: readonly Media[], options: Options, formatOf = bodyOf) {
  return all.map((media, at) => {
    const isRepeated = media.schema !== undefined && all.findIndex(({ schema }) => schema === media.schema) < at
    const format = formatOf(at === 0 ? owner : options.ids(owner), media, options)
    return { ...format, isRepeated, content: isRepeated ? nothing : format.content }
  })
}

/** The body of a response, with one media type. A schema that has a name is described in its own section. */
function bodyOf(owner: string, media: Media, options: Options) {
  const { type: mediaType, schema, examples } = media
  const isJson = /[/+]json\b/.test(mediaType)
  const given = examples.length > 0 ? examples : examplesIn(schema).map((value) => ({ name: 'example', value }))
  const { name, title, description = '' } = schema ?? {}
  return {
    mediaType,
    type: typeOf(schema),
    description: paragraphs(
      media.description,
      ...(name === undefined ? [title && `*${title}*`, description] : []),
      list(Object.entries(media.encoding).map(([field, how]) => `${code(field)}: ${encodingText(how)}`)),
    ),
    content: ownContent(owner, schema, options),
    examples: given
      .map((one) => ({ summary: undefined, description: '', externalValue: undefined, ...one }))
      .filter(({ value, externalValue }) => value !== undefined || externalValue !== undefined)
      .map(({ name, summary, description, value, externalValue }) => ({
        name,
        summary: summary ?? (name === 'example' ? 'Example' : name),
        description,
        /** Where it is, if it is not in the document. */
        url: externalValue,
        text: isJson || typeof value !== 'string' ? exampleOf(value) : value,
        lang: isJson ? 'json' : 'text',
      })),
  }
}

const encodingText = ({ contentType, style, explode, allowReserved }: Media['encoding'][string]) =>
  [contentType, style, explode && 'each value by itself', allowReserved && 'not percent-encoded']
    .filter((text) => typeof text === 'string')
    .join(', ')

/** The body of a request has all of its fields, and an example in any case but for XML. */
export function requestBodyOf(owner: string, media: Media, options: Options) {
  const given = media.examples.map((one) => ({ ...one, value: sentOf(media.schema, one.value) }))
  const made = { name: 'example', summary: undefined, value: bodyExample(media) }
  const examples = given.length > 0 || /xml/.test(media.type) ? given : [made]
  return bodyOf(owner, { ...media, examples }, { ...options, isComplete: true })
}

export function schemasOf(model: Model, options: Options, base: string) {
  const { schemas } = model
  const paths = schemaPaths(model, base)
  return [...schemas].map(([name, schema], at) => {
    const part = lazy(() => schemaPart(name, schema, options))
    /** `path` is that of the page that has it. */
    return { id: `schema-${name}`, name, path: String(paths[at]), part }
  })
}

function schemaPart(name: string, schema: Schema, options: Options) {
  return {
    id: `schema-${name}`,
    name,
    description: paragraphs(
      schema.title !== undefined && schema.title !== name ? `*${schema.title}*` : '',
      schema.description,
      linkText(schema.externalDocs),
    ),
    type: { ...typeOf({ ...schema, name: undefined }), schemaId: undefined },
    content: contentOf(`schema-${name}`, schema, options),
    examples: examplesIn(schema).map(exampleOf),
  }
}

/** With all digits of an int64. */
export function exampleOf(value: unknown): string {
  return String(stringify(value, null, 2))
}
