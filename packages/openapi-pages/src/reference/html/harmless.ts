// Raw HTML in descriptions (CommonMark, section 4.6): a list of tags that only format is kept, the others are dropped. What
// an author leaves open, or closes too often, must not change the page around it.
import { mayLink, mayLoad } from '../links.ts'
import { escapeHtml } from './markup.ts'

/** Before a tag of the author. No text has it. */
const mark = '\uE000'

export const withoutMarks = (text: string) => text.replaceAll(mark, '')

const block = /^(p|pre|ul|ol|table|details|blockquote)$/
const within = /^(b|strong|i|em|code|li|a|thead|tbody|tr|td|th|summary|sup|sub)$/
/** What stands for others. */
const alike: Record<string, string> = { div: 'p', h1: 'p', h2: 'p', h3: 'p', h4: 'p', h5: 'p', h6: 'p' }

/** The text of an element that a browser does not show goes with it. */
const unseen = /<(script|style|template|iframe|noscript)\b[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)/gi
const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[\w:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/gi

/** Its tags are marked for `balanced`. */
export function harmless(html: string): string {
  const text = html.replace(unseen, '')
  let end = 0
  let kept = ''
  for (const { index, 0: whole, 1: slash, 2: name = '', 3: attributes = '' } of text.matchAll(tag)) {
    kept += escaped(text.slice(end, index)) + keptTag(slash === '/', name.toLowerCase(), attributes)
    end = index + whole.length
  }
  return kept + escaped(text.slice(end))
}

function keptTag(isEnd: boolean, written: string, attributes: string): string {
  const name = alike[written] ?? written
  if (name === 'br' || name === 'hr') return '<br>'
  const attribute = (wanted: string) =>
    new RegExp(`\\s${wanted}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|(\\S+))`, 'i').exec(attributes)?.slice(1).join('') ?? ''
  if (name === 'img') {
    const [source, text] = [attribute('src'), attribute('alt')]
    return mayLoad(source) ? `<img src="${escaped(source)}" alt="${escaped(text)}" loading="lazy">` : escaped(text)
  }
  if (!block.test(name) && !within.test(name)) return ''
  if (isEnd) return `${mark}</${name}>`
  if (name !== 'a') return `${mark}<${name}>`
  const href = attribute('href')
  return mayLink(href) ? `${mark}<a href="${escaped(href)}">` : ''
}

/** Entities stay. */
const escaped = (text: string) => escapeHtml(text.replace(/&(?=#?\w+;)/g, '\uE001')).replaceAll('\uE001', '&')

const anyTag = /(\uE000?)<(\/?)([a-z][\w-]*)([^>]*)>/gi
const empty = /^(br|img|wbr|input)$/

/** Closes each tag of the author within the element of the page that it stands in, and drops what closes nothing. */
export function balanced(html: string): string {
  if (!html.includes(mark)) return html
  const open: { name: string; isOwn: boolean }[] = []
  /** How deep a block of the author ended a paragraph of the page. Behind the block, the paragraph goes on. */
  const ended: number[] = []
  let result = ''
  let end = 0
  const add = (name: string, isOwn: boolean, whole = `<${name}>`) => {
    open.push({ name, isOwn })
    result += whole
  }
  /** Of the author. */
  const isLast = (name: string) => open.at(-1)?.name === name && !open.at(-1)?.isOwn
  const closeTo = (depth: number) => {
    while (open.length > depth) result += `</${open.pop()?.name}>`
  }

  function begin(name: string, isOwn: boolean, whole: string) {
    const paragraph = open.findIndex((element) => element.name === 'p')
    if (!isOwn && block.test(name) && paragraph >= 0) {
      if (open[paragraph]?.isOwn) ended.push(paragraph)
      closeTo(paragraph)
    } else if (isOwn ? block.test(name) && isLast('p') : repeated.test(name) && isLast(name)) closeTo(open.length - 1)
    add(name, isOwn, whole)
  }

  function finish(name: string, isOwn: boolean) {
    const at = open.findLastIndex((element) => element.name === name && element.isOwn === isOwn)
    if (at >= 0 && (isOwn || open.slice(at).every((element) => !element.isOwn))) closeTo(at)
    else if (isOwn && name === 'p') closeTo(Number(ended.pop())) // NaN closes nothing
    if (!isOwn && open.length === ended.at(-1)) {
      ended.pop()
      add('p', true)
    }
  }

  for (const { index, 0: whole, 1: marked, 2: slash, 3: written = '', 4: attributes = '' } of html.matchAll(anyTag)) {
    const name = written.toLowerCase()
    const isOwn = marked === ''
    result += html.slice(end, index)
    end = index + whole.length
    if (empty.test(name) || attributes.endsWith('/')) result += whole
    else if (slash === '/') finish(name, isOwn)
    else begin(name, isOwn, isOwn ? whole : whole.slice(1))
  }
  result += html.slice(end)
  closeTo(0)
  return result.replace(/<p>(?:\s|<br>)*<\/p>\n?/g, '')
}

/** One begins where the one before it ends. */
const repeated = /^(li|tr|td|th)$/
