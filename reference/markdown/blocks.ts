// Paragraphs, code blocks and tables of Markdown.
import type { Field, Type } from '../tree.ts'

/** The parts that are there, a blank line between them. */
export function joined(...parts: readonly (string | false | undefined)[]): string {
  return parts
    .filter((part) => typeof part === 'string')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The fence is longer than any in the text. */
export function block(lang: string, text: string): string {
  const fences = text.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...fences.map(({ length }) => length + 1)))
  return `${fence}${lang}\n${text.trimEnd()}\n${fence}`
}

export function exampleBlock(label: string, code: string): string {
  return `${label}:\n\n${code}`
}

export function typeInWords({ name, isArray, constraints }: Type): string {
  const words = constraints.map((text) => text.replace(/^pattern (.*)$/, 'pattern `$1`'))
  return [`${isArray ? 'array of ' : ''}${name}`, ...words].join(', ')
}

export function fieldTable(heading: string, fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, isRequired, description, example }) => [
    `\`${name}\`${isRequired ? ' (required)' : ''}`,
    typeInWords(type),
    joined(description, example !== undefined && `Example: \`${example}\``),
  ])
  return [[heading, 'Type', 'Meaning'], ['---', '---', '---'], ...rows].map(rowOf).join('\n')
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
}
