// Splits the document's description at its second-level headings.
import { marked } from 'marked'

export interface Section {
  id: string
  title: string
  text: string
}

/** `introduction` is what precedes the first heading. */
export function guideOf(description: string): { introduction: string; guide: Section[] } {
  const guide: Section[] = []
  let introduction = ''
  for (const token of marked.lexer(description)) {
    const last = guide.at(-1)
    if (token.type === 'heading' && token.depth === 2) guide.push({ id: slug(token.text), title: token.text, text: '' })
    else if (last) last.text += token.raw
    else introduction += token.raw
  }
  return { introduction, guide }
}

/** `64-bit identifiers` as `64-bit-identifiers`. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
