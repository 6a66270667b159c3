// Splits the document's description at its second-level headings.
import { marked } from 'marked'
import { distinctFrom, slug } from './ids.ts'

export interface Section {
  id: string
  title: string
  text: string
}

/** `introduction` is what precedes the first heading. @param taken ids of other parts of the page */
export function guideOf(
  description: string,
  taken: readonly string[] = [],
): { introduction: string; guide: Section[] } {
  const guide: Section[] = []
  const distinct = distinctFrom(taken)
  let introduction = ''
  for (const token of marked.lexer(description)) {
    const last = guide.at(-1)
    if (token.type === 'heading' && token.depth === 2) {
      guide.push({ id: distinct(slug(token.text)), title: token.text, text: '' })
    } else if (last) last.text += token.raw
    else introduction += token.raw
  }
  return { introduction, guide }
}
