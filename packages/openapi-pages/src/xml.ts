// A value as XML (OpenAPI 3.0.4, "XML Object").
import { propertyOf, type Schema } from 'exact-openapi/model'
import { isComposite } from '#browser/json.js'

interface XmlObject {
  name?: string
  namespace?: string
  prefix?: string
  attribute?: boolean
  wrapped?: boolean
}

/** With an element for the whole value, which has the name of the schema. */
export function xmlOf(schema: Schema, value: unknown): string {
  const named = schema.items ? { name: 'items', wrapped: true } : {}
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elements(schema, schema.name ?? 'body', value, '', named).join('\n')}`
}

/** The elements of a property: several of a list that is not wrapped. */
function elements(schema: Schema, name: string, value: unknown, indent: string, usual: XmlObject = {}): string[] {
  const xml = { ...usual, ...xmlIn(schema) }
  if (!Array.isArray(value)) return [element(schema, tagOf(xml, name), value, indent)]
  const { items = { pointer: '' } } = schema
  const itemName = xmlIn(items).name ?? items.name ?? (xml.wrapped ? name : (xml.name ?? name))
  const inner = xml.wrapped ? `${indent}  ` : indent
  const all = value.flatMap((item) => elements(items, itemName, item, inner))
  return xml.wrapped ? [within(tagOf(xml, name), all, indent)] : all
}

const xmlIn = (schema: Schema): XmlObject =>
  Object.assign({}, ...[...(schema.allOf ?? []), schema].map((part) => (part as { xml?: XmlObject }).xml))

interface Tag {
  name: string
  attributes: string
}

function tagOf({ name, prefix, namespace }: XmlObject, usual: string): Tag {
  const start = prefix === undefined ? '' : `${prefix}:`
  const declared = namespace === undefined ? '' : ` xmlns${prefix ? `:${prefix}` : ''}="${escaped(namespace)}"`
  return { name: `${start}${name ?? usual}`, attributes: declared }
}

function element(schema: Schema, { name, attributes }: Tag, value: unknown, indent: string): string {
  if (!isComposite(value)) {
    return `${indent}<${name}${attributes}>${value === null ? '' : escaped(String(value))}</${name}>`
  }
  const fields = Object.entries(value as object).map(([key, item]) => ({
    key,
    item,
    property: propertyOf(schema, key),
  }))
  const attributed = fields.filter(({ property }) => xmlIn(property).attribute)
  const more = attributed.map(
    ({ key, item, property }) => ` ${tagOf(xmlIn(property), key).name}="${escaped(String(item))}"`,
  )
  const others = fields.filter((field) => !attributed.includes(field))
  const all = others.flatMap(({ key, item, property }) => elements(property, key, item, `${indent}  `))
  return within({ name, attributes: `${attributes}${more.join('')}` }, all, indent)
}

const within = ({ name, attributes }: Tag, all: readonly string[], indent: string) =>
  all.length === 0
    ? `${indent}<${name}${attributes}/>`
    : `${indent}<${name}${attributes}>\n${all.join('\n')}\n${indent}</${name}>`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
