// HTML as a tagged template: strings are escaped, markup is not.

export interface Html {
  html: string
}

type Part = string | Html | false | undefined | readonly Part[]

export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: texts.reduce((before, text, i) => `${before}${textOf(parts[i - 1])}${text}`) }
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  return 'html' in part ? part.html : part.map(textOf).join('')
}

/** Safe in an element and in a quoted attribute. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => String(entities[character]))
}
