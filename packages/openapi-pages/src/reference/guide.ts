// Splits the document's description at its headings of the second level; of the first, if there are several of those.
import { marked } from 'marked'
import { distinctFrom, type Ids, slug } from './ids.ts'

export interface Section {
  id: string
  title: string
  text: string
}

/** `introduction` is what precedes the first section; `title` is its heading, if it begins with one. */
export function guideOf(
  description: string,
  ids: Ids = distinctFrom(),
): { title: string; introduction: string; guide: Section[] } {
  const guide: Section[] = []
  const tokens = marked.lexer(description)
  const tops = tokens.filter((token) => token.type === 'heading' && token.depth === 1)
  const level = tops.length > 1 ? 1 : 2
  const [first] = tokens
  const title = level === 2 && first?.type === 'heading' && first.depth === 1 ? String(first.text) : ''
  let introduction = ''
  for (const token of title === '' ? tokens : tokens.slice(1)) {
    const last = guide.at(-1)
    if (token.type === 'heading' && token.depth === level) {
      guide.push({ id: ids(slug(token.text)), title: token.text, text: '' })
    } else if (last) last.text += token.raw
    else introduction += token.raw
  }
  return { title, introduction, guide }
}
