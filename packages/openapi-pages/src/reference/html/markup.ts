// HTML as a tagged template: strings are escaped, markup is not.

export interface Html {
  html: string
}

type Content = string | Html | false | undefined | readonly Content[]

export function html(texts: TemplateStringsArray, ...contents: Content[]): Html {
  return { html: texts.reduce((before, text, i) => `${before}${textOf(contents[i - 1])}${text}`) }
}

function textOf(content: Content): string {
  if (content === undefined || content === false) return ''
  if (typeof content === 'string') return escapeHtml(content)
  return 'html' in content ? content.html : content.map(textOf).join('')
}

/** Safe in an element and in a quoted attribute. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => String(entities[character]))
}
