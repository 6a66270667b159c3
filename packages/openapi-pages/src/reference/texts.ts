// Texts in Markdown that the reference makes of parts of the document.

import type { ExternalDocs, Model, Server } from 'exact-openapi/model'
import { marked } from 'marked'
import { mayLink } from './links.ts'

/** Those that have a text, each a paragraph. */
export function paragraphs(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n\n')
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item.replace(/\s*\n\s*/g, ' ')}`).join('\n')
}

/** As code, whatever the text has. */
export function code(text: string): string {
  if (text === '') return '`""`'
  const quote = text.includes('`') ? '``' : '`'
  const space = /^`|`$/.test(text) ? ' ' : ''
  return `${quote}${space}${text}${space}${quote}`
}

/** The first line of the first paragraph, without markup. */
export function lead(text: string): string {
  const paragraph = marked.lexer(text).find(({ type }) => type === 'paragraph')?.raw ?? ''
  return paragraph
    .split('\n', 1)
    .join()
    .replace(/!?\[([^\]]*)\]\([^)]*\)|[*`]/g, '$1')
}

/** Each paragraph as one line. */
export function unwrapped(text: string): string {
  const blocks = marked
    .lexer(text)
    .map(({ type, raw }) => (type === 'paragraph' ? raw.replace(/(?<! {2}|\\)\n(?=\S)/g, ' ') : raw))
  return blocks.join('')
}

/** A link to documentation elsewhere. */
export function linkText(docs: ExternalDocs | undefined): string {
  return docs ? `See ${link(docs.description?.trim().replace(/\.$/, '') || docs.url, docs.url)}.` : ''
}

export function link(text: string, url: string | undefined): string {
  return url === undefined || !mayLink(url)
    ? text
    : `[${text.replace(/[[\]]/g, '\\$&')}](${/[\s()]/.test(url) ? `<${url}>` : url})`
}

/** Whom to ask, and on which terms. */
export function aboutOf({ info, externalDocs: docs }: Pick<Model, 'info' | 'externalDocs'>): string[] {
  const { contact = {}, license, termsOfService: terms } = info
  const { name, url, email } = contact
  const spdx = license?.identifier && `https://spdx.org/licenses/${license.identifier}.html`
  const contacts = [
    (name ?? url) !== undefined && link(name ?? String(url), url),
    email !== undefined && link(email, `mailto:${email}`),
  ].filter((text) => text !== false)
  return [
    docs && `Documentation: ${link(docs.description || docs.url, docs.url)}`,
    contacts.length > 0 && `Contact: ${contacts.join(', ')}`,
    terms !== undefined && link('Terms of service', terms),
    license && `License: ${link(license.name, license.url ?? spdx)}`,
  ].filter((text) => typeof text === 'string')
}

/** No more addresses are offered for one server. */
const MOST_ADDRESSES = 30

/** The addresses that a server has with the values of its variables, the default one first. */
export function urlsOf({ url, variables = {} }: Server): string[] {
  const addresses = Object.entries(variables).reduce(
    (urls, [name, { enum: values, default: usual }]) => {
      const all = [usual, ...(values ?? []).filter((value) => value !== usual)]
      return urls.flatMap((text) => all.map((value) => text.replaceAll(`{${name}}`, value)))
    },
    [url],
  )
  return addresses.slice(0, addresses.length > MOST_ADDRESSES ? 1 : undefined)
}

/** What an address of the server may have in its place. */
export function variablesText({ variables = {} }: Server): string {
  return list(
    Object.entries(variables).map(([name, { enum: values = [], default: usual, description = '' }]) => {
      const all = values.length > 0 ? values : [usual]
      return `${code(name)}: ${all.map(code).join(', ')}. ${description}`.trim()
    }),
  )
}
