// Bodies of requests and responses, and the schemas that have a name.

import { exampleValue, type Media, type Model } from 'exact-openapi'
import { stringify } from 'lossless-json'
import { contentOf } from './content.ts'
import { idMaker, nothing } from './fields.ts'
import { schemaPaths } from './paths.ts'
import { typeOf } from './types.ts'

/** The body of a response, with one media type. A schema that has a name is described in its own section. */
export function bodyOf(owner: string, media: Media) {
  const { type: mediaType, schema, examples } = media
  const isJson = /[/+]json\b/.test(mediaType)
  const given = examples.length > 0 ? examples : [{ name: 'example', summary: undefined, value: schema?.example }]
  return {
    mediaType,
    type: typeOf(schema),
    content: schema?.name === undefined ? contentOf(owner, schema) : nothing,
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

/** The body of a request has all of its fields, and an example in any case. */
export function requestBodyOf(owner: string, media: Media) {
  const isExampled = media.examples.length > 0 || media.schema?.example !== undefined
  const examples = [{ name: 'example', summary: undefined, value: exampleValue(media.schema) }]
  return {
    ...bodyOf(owner, isExampled ? media : { ...media, examples }),
    content: contentOf(owner, media.schema, { isComplete: true }),
  }
}

export function schemasOf(model: Model) {
  const { schemas } = model
  const paths = schemaPaths(model)
  const idOf = idMaker([...schemas.keys()].map((name) => `schema-${name}`))
  return [...schemas].map(([name, schema], at) => ({
    id: `schema-${name}`,
    name,
    /** Of the page that has it. */
    path: String(paths[at]),
    description: schema.description ?? '',
    type: { ...typeOf({ ...schema, name: undefined }), schemaId: undefined },
    content: contentOf(`schema-${name}`, schema, { idOf }),
    example: schema.example === undefined ? undefined : exampleOf(schema.example),
  }))
}

/** With all digits of an int64. */
export function exampleOf(value: unknown): string {
  return String(stringify(value, null, 2))
}
