// The blocks of code in Markdown.

export interface Block {
  /** `sh`, `ts` and so on. */
  language: string
  text: string
  /** The text between the previous block, or the start, and this one. */
  before: string
}

export function blocksOf(text: string): Block[] {
  let end = 0
  return [...text.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)].map(
    ({ index, 0: whole, 1: indent, 2: language, 3: code }) => {
      const before = text.slice(end, index)
      end = index + whole.length
      return { language: String(language), text: String(code).replaceAll(new RegExp(`^${indent}`, 'gm'), ''), before }
    },
  )
}
