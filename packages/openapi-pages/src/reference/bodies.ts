// Bodies of requests and responses, and the schemas that have a name.

import { type Direction, withoutHidden as sentOf } from 'exact-openapi/examples'
import type { Example, Media, Model, Schema } from 'exact-openapi/model'
import { stringify } from 'lossless-json'
import { isJson } from '#browser/media-types.js'
import { bodyExample, bodyViolation, examplesIn } from '../example-request.ts'
import { lazy } from '../static/memoize.ts'
import { contentOf, type Options, ownContent } from './content.ts'
import { itemText, nothing } from './fields.ts'
import { schemaPaths } from './paths.ts'
import { code, linkText, list, paragraphs } from './texts.ts'
import { typeOf } from './types.ts'

/** One for each media type. Several may have the same schema: it is described once. */
export function formatsOf(owner: string, all: readonly Media[], options: Options, formatOf = responseBodyOf) {
  return all.map((media, at) => {
    const isRepeated = media.schema !== undefined && all.findIndex(({ schema }) => schema === media.schema) < at
    const format = formatOf(at === 0 ? owner : options.ids(owner), media, options)
    return { ...format, isRepeated, content: isRepeated ? nothing : format.content }
  })
}

/** The body of a response, with one media type. */
function responseBodyOf(owner: string, media: Media, options: Options) {
  const candidates = media.examples.length > 0 ? media.examples : examplesIn(media.schema).map(unnamed)
  return bodyOf(
    owner,
    media,
    { ...options, direction: 'response' },
    isJson(media.type) ? acceptedOf(media, candidates, 'response') : candidates,
  )
}

/** The body of a request has all of its fields, and an example in any case but for XML. */
export function requestBodyOf(owner: string, media: Media, options: Options) {
  const written = media.examples.map((example) => ({
    ...example,
    value: sentOf(media.schema, example.value, 'request'),
  }))
  const examples = /xml/.test(media.type) ? written : acceptedOf(media, written, 'request')
  const body = bodyOf(owner, media, { ...options, isComplete: true, direction: 'request' }, examples)
  const sent = shownAs(media.type, bodyExample(media).value).text
  const at = body.examples.findIndex(({ text }) => text === sent)
  return { ...body, examples: body.examples.map((example, index) => ({ ...example, isSent: index === at })) }
}

type Shown = Partial<Example> & Pick<Example, 'name' | 'value'>

const unnamed = (value: unknown): Shown => ({ name: 'example', value })

/** Those that the schema accepts. If it accepts none: of a response, those of the author; of a request, one that is sent. */
function acceptedOf(media: Media, examples: readonly Shown[], direction: Direction): readonly Shown[] {
  const accepted = examples.filter(({ value }) => value === undefined || !bodyViolation(media, value, direction))
  if (accepted.length > 0) return accepted
  if (direction === 'response' && (examples.length > 0 || !media.schema)) return examples
  return [unnamed(bodyExample(media, direction).value)]
}

/** A schema that has a name is described in its own section. */
function bodyOf(owner: string, media: Media, options: Options, examples: readonly Shown[]) {
  const { type: mediaType, schema } = media
  const { name, title, description = '' } = schema ?? {}
  return {
    mediaType,
    type: typeOf(schema),
    description: paragraphs(
      media.description,
      ...(name === undefined ? [title && `*${title}*`, description, itemText(schema)] : []),
      list(Object.entries(media.encoding).map(([field, how]) => `${code(field)}: ${encodingText(how)}`)),
    ),
    content: ownContent(owner, schema, options),
    examples: examples
      .filter(({ value, externalValue }) => value !== undefined || externalValue !== undefined)
      .map(({ name, summary, description = '', value, externalValue }) => ({
        name,
        summary: summary ?? (name === 'example' ? 'Example' : name),
        description,
        /** Where it is, if it is not in the document. */
        url: externalValue,
        ...shownAs(mediaType, value),
        /** Whether the samples send it. */
        isSent: false,
      })),
  }
}

/** An example in a media type: its text, and the language that this is in. */
export const shownAs = (mediaType: string, value: unknown) => ({
  text: isJson(mediaType) || typeof value !== 'string' ? exampleOf(value) : value,
  lang: isJson(mediaType) ? 'json' : 'text',
})

const encodingText = ({ contentType, style, explode, allowReserved }: Media['encoding'][string]) =>
  [contentType, style, explode && 'each value by itself', allowReserved && 'not percent-encoded']
    .filter((text) => typeof text === 'string')
    .join(', ')

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
      itemText(schema),
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
