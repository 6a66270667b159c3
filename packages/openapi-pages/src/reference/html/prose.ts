// Markdown as HTML, without links that run scripts. Of raw HTML, drawings and what only formats are kept.
import { Marked, type Tokens } from 'marked'
import { distinctFrom, slug } from '../ids.ts'
import { mayLink, mayLoad } from '../links.ts'
import { codeBlock } from './code.ts'
import { balanced, harmless, withoutMarks } from './harmless.ts'
import { escapeHtml, type Html } from './markup.ts'

/** `section` is where the text stands: its headings and the rows of its tables have addresses, those of other texts have none. */
export function prose(text: string, section?: { id: string; title: string }): Html {
  if (text === '') return { html: '' }
  const marked = section ? markedFor(section) : ofDescriptions
  return { html: balanced(marked.parse(withoutMarks(text), { async: false })) }
}

export function inline(text: string): Html {
  return { html: balanced(ofDescriptions.parseInline(withoutMarks(text), { async: false })) }
}

/** A longer beginning is no lead. */
const LONGEST_LEAD = 240

/** The beginning of the first paragraph, in whole sentences, and the rest. */
export function leadOf(text: string): { lead: string; rest: string } {
  const [first, ...others] = ofDescriptions.lexer(text)
  if (first?.type !== 'paragraph') return { lead: '', rest: text }
  const after = others.map(({ raw }) => raw).join('')
  if (first.raw.length <= LONGEST_LEAD) return { lead: first.raw, rest: after }
  const [lead = ''] = /^[^<[`*]{1,240}[.!?](?=\s)/.exec(first.raw) ?? []
  return { lead, rest: `${first.raw.slice(lead.length).trimStart()}${after}` }
}

/** The first paragraph without its links, and whether it is all of the text. */
export function firstLine(text: string): { line: Html; isAll: boolean } {
  const [first = '', ...others] = text.trim().split(/\n\s*\n/)
  const { html: line } = inline(first)
  const isText = !/^(?:[-*+>#|`]|\d+\.)\s/.test(first) && !notOfLine.test(line)
  return { line: { html: line.replace(new RegExp(notOfLine, 'g'), '') }, isAll: isText && others.length === 0 }
}

/** A line of text has none of these. */
const notOfLine = /<(?!\/?(?:em|strong|code|b|i)\b)[^>]*>/

/** Making one takes longer than most texts take. */
const ofDescriptions = markedFor({ id: '', title: '' })

function markedFor({ id, title }: { id: string; title: string }): Marked {
  let blocks = 0
  let last = 2
  const distinct = distinctFrom()
  return new Marked({
    renderer: {
      html: ({ text }) => (isDrawing(text) ? text : harmless(text)),
      code: ({ text, lang }) =>
        codeBlock(text, lang ?? 'text', title === '' ? 'this code' : `block ${++blocks} of ${title}`).html,
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        return mayLink(href) ? `<a href="${escapeHtml(href)}">${inner}</a>` : inner
      },
      image: ({ href, text }) =>
        mayLoad(href) ? `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}" loading="lazy">` : escapeHtml(text),
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens)
        if (id === '') return `<p><strong>${inner}</strong></p>\n`
        last = Math.min(Math.max(depth, 3), last + 1) // below the section's own, and none is skipped
        return `<h${last} id="${distinct(`${id}-${slug(text)}`)}">${inner}</h${last}>\n`
      },
      table({ header, rows }) {
        const row = (cells: Tokens.TableCell[], cell: (each: Tokens.TableCell, at: number) => string, key?: string) =>
          `<tr${key === undefined || id === '' ? '' : ` id="${escapeHtml(distinct(`${id}-${key}`))}"`}>${cells.map(cell).join('')}</tr>`
        // On a phone, cells stand below each other, each after its heading.
        const labels = header.length > 2 ? header.map(({ text }) => ` data-label="${escapeHtml(text)}"`) : []
        const th = ({ tokens }: Tokens.TableCell) => `<th scope="col">${this.parser.parseInline(tokens)}</th>`
        const td = ({ tokens }: Tokens.TableCell, at: number) =>
          `<td${(at > 0 && labels[at]) || ''}>${this.parser.parseInline(tokens)}</td>`
        const body = rows.map((cells) => row(cells, td, codeOf(cells))).join('\n')
        return scrollable(`<table><thead>${row(header, th)}</thead>\n<tbody>${body}</tbody></table>`)
      },
    },
  })
}

/** A wide table scrolls within its own frame, by keyboard too. */
export function scrollable(table: string): string {
  return `<div class="table" tabindex="0">${table}</div>\n`
}

/** The code in the first cell, if it is all of it. */
function codeOf(cells: Tokens.TableCell[]): string | undefined {
  const [token, ...others] = (cells[0] as Tokens.TableCell).tokens
  return token?.type === 'codespan' && others.length === 0 ? (token as Tokens.Codespan).text : undefined
}

/** An SVG of shapes and text. No value has a character that an address or a script would need. */
function isDrawing(text: string): boolean {
  return /^<svg\b.*<\/svg>\s*$/s.test(text) && !text.replace(drawingTag, '').includes('<')
}

const drawingTag =
  /<\/?(?:svg|title|g|path|rect|circle|text)(?:\s+(?:viewBox|role|d|x|y|r|cx|cy|width|height|fill|stroke|stroke-width|opacity|text-anchor)="[\w\s.,#-]*")*\s*\/?>/g

/** The origins of the images that a text shows. */
export function imageOrigins(text: string): string[] {
  if (!/!\[|<img/i.test(text)) return []
  const sources = prose(text).html.matchAll(/<img src="([^"]*)"/g)
  return Array.from(sources, ([, source = '']) => source)
    .filter((source) => URL.canParse(source))
    .map((source) => new URL(source).origin)
}
