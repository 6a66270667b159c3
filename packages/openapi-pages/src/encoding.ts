// How the properties of a form are written, and which values are files.
import { certain, type Media, propertyOf, reachable, type Schema } from 'exact-openapi/model'
import type { Encoding, PropertyEncoding } from '#browser/body.js'
import { isForm, isJson, isMultipart } from '#browser/media-types.js'

/** Of a form, by property; undefined for other bodies. */
export function encodingOf({ type, schema, encoding }: Media): Encoding | undefined {
  if (!schema || !(isForm(type) || isMultipart(type))) return undefined
  const names = [...reachable([schema], composing)].flatMap(({ properties = {} }) => Object.keys(properties))
  const all = [...new Set([...names, ...Object.keys(encoding)])].map((name): [string, PropertyEncoding] => {
    const property = propertyIn(schema, name)
    const { contentType, style, explode } = (Object.hasOwn(encoding, name) && encoding[name]) || {}
    if (isForm(type)) return [name, { type: contentType, style, explode }]
    const isAnyFile = isFile(property) || (isTypeless(property) && contentType !== undefined && !isText(contentType))
    return [name, { type: contentType && sentType(contentType), ...(isAnyFile && { isFile: true }) }]
  })
  return Object.fromEntries(all.map(([name, how]) => [name, withoutNothing(how)]))
}

const composing = ({ allOf = [], oneOf = [], anyOf = [] }: Schema) => [...allOf, ...oneOf, ...anyOf]

/** Also one of an alternative. */
function propertyIn(schema: Schema, name: string): Schema {
  const parts = [...reachable([schema], composing)]
  return propertyOf(parts.find(({ properties = {} }) => Object.hasOwn(properties, name)) ?? schema, name)
}

const withoutNothing = (how: PropertyEncoding): PropertyEncoding =>
  Object.fromEntries(Object.entries(how).filter(([, value]) => value !== undefined))

/** Whether the whole body is the bytes of a file. */
export function isFileBody({ type, schema, examples }: Media): boolean {
  if (isJson(type) || isForm(type) || isMultipart(type)) return false
  if (schema && isFile(schema)) return true
  return (!schema || isTypeless(schema)) && examples.length === 0 && !isText(type)
}

/** A file, or several. */
function isFile(schema: Schema): boolean {
  const all = [...reachable([schema], certain)].flatMap((part) => [
    part,
    ...(part.items ? reachable([part.items], certain) : []),
  ])
  return all.some(
    ({ format, contentMediaType, contentEncoding }) =>
      format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined),
  )
}

/** OpenAPI 3.1 describes bytes by a schema without a type. */
const isTypeless = (schema: Schema) =>
  ![...reachable([schema], certain)].some(({ type, properties, items }) => type ?? properties ?? items)

const isText = (type: string) => /^text\/|[/+](json|xml|yaml)\b|javascript|urlencoded|^\*/i.test(type)

/** The first of several, and one of a range. */
function sentType(types: string): string | undefined {
  const [first = ''] = types.split(',').map((text) => text.trim())
  const [kind = ''] = first.split('/')
  return first.endsWith('/*') ? usual[kind] : first
}

const usual: Record<string, string> = {
  image: 'image/png',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  text: 'text/plain',
}
