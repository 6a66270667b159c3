// Splits the document's description at its second-level headings.
import { marked } from 'marked'
import { distinctFrom, type Ids, slug } from './ids.ts'

export interface Section {
  id: string
  title: string
  text: string
}

/** `introduction` is what precedes the first heading. */
export function guideOf(description: string, ids: Ids = distinctFrom()): { introduction: string; guide: Section[] } {
  const guide: Section[] = []
  let introduction = ''
  for (const token of marked.lexer(description)) {
    const last = guide.at(-1)
    if (token.type === 'heading' && token.depth === 2) {
      guide.push({ id: ids(slug(token.text)), title: token.text, text: '' })
    } else if (last) last.text += token.raw
    else introduction += token.raw
  }
  return { introduction, guide }
}
