// Types and lists of fields.
import type { Content, Field, SchemaPart, Type } from '../tree.ts'
import { codeBlock } from './code.ts'
import { type Html, html } from './markup.ts'
import { inline, prose } from './prose.ts'
import { tabs } from './tabs.ts'

/** More of them open at a press. */
const MOST_VALUES = 24

/** Longer examples stand below the line. */
const LONGEST_EXAMPLE = 28

/** So many fields within another are open from the start, unless they have some in turn. */
const MOST_OPEN = 5

/** `array of Order`, the name linked to its schema. */
export function typeInWords({ name, isArray, schemaId }: Type): Html {
  const linked = schemaId === undefined ? html`${name}` : html`<a href="#${schemaId}">${name}</a>`
  return html`<span class="type">${isArray && 'array of '}${linked}</span>`
}

/** A line each; what is within a field hangs below it. @param kind as the search calls them, unless fields */
export function fieldList(fields: readonly Field[], kind?: string, depth = 0): Html {
  const items = fields.map((field) => item(field, depth))
  return html`<dl class="fields"${kind !== undefined && html` data-kind="${kind}"`}>\n${items}</dl>\n`
}

function item(field: Field, depth: number): Html {
  const { id, key, location, type, isRequired, isCondition, description, examples, content } = field
  const { line, below } = examplesOf(examples)
  const isConstant = type.values.length === 1 && !type.isArray
  const about = html`${prose(description)}${below}${(!isConstant || type.meanings.length > 0) && values(type)}`
  const name = isCondition ? html`<em>${key}</em>` : html`<code>${key}</code>`
  return html`<div id="${id}">
<dt><a href="#${id}" tabindex="-1">${name}</a></dt>
<dd class="facts">${isConstant ? html`<span>always <code>${type.values}</code></span>` : typeWithin(type, content)}${isRequired && html` <span class="required">required</span>`}${limits(type.constraints)}${line}</dd>
${location !== '' && html`<dd class="place">${location}</dd>\n`}${about.html !== '' && html`<dd class="about">${about}</dd>\n`}${within(field, depth)}</div>
`
}

/** The alternatives below it say which they are. */
function typeWithin(type: Type, { alternatives }: Content): Html {
  const [, kind] = /^(one|any) of /.exec(type.name) ?? []
  if (kind === undefined || alternatives.length === 0 || type.schemaId !== undefined) return typeInWords(type)
  return typeInWords({ ...type, name: `${kind} of ${alternatives.length}` })
}

function examplesOf(examples: readonly string[]): { line: Html | false; below: Html | false } {
  const all = examples.map((example, at) => html`${at > 0 && ', '}<code>${example}</code>`)
  const isShort = examples.join(', ').length <= LONGEST_EXAMPLE
  return {
    line: all.length > 0 && isShort && html` <span class="example">e.g. ${all}</span>`,
    below: all.length > 0 && !isShort && html`<p class="example">e.g. ${all}</p>\n`,
  }
}

function within({ id, name, content }: Field, depth: number): Html | false {
  const { fields, alternatives } = content
  if (fields.length + alternatives.length === 0) return false
  const part = contentPart(id, content, depth + 1)
  if (fields.length === 0 && depth === 0) return html`<dd class="within">${part}</dd>\n`
  const count = fields.length > 0 ? counted(fields.length, 'field') : counted(alternatives.length, 'alternative')
  const isSmall = fields.length <= MOST_OPEN && alternatives.length === 0 && fields.every(isPlain)
  return html`<dd class="within"><details${depth === 0 && isSmall && ' open'}><summary>${count}<span class="visually-hidden"> of ${name}</span></summary>
${part}</details></dd>
`
}

const isPlain = ({ content }: Field) => content.fields.length + content.alternatives.length === 0

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

export function contentPart(id: string, { fields, alternatives }: Content, depth = 0): Html {
  const items = alternatives.map(({ id, name, description, type, ...content }) => ({
    value: name,
    label: html`${name}`,
    panel: html`${isTold(type, content) && html`<p class="type-line">${typeInWords(type)}${limits(type.constraints)}</p>\n`}${prose(description)}${values(type)}${contentPart(id, content, depth)}`,
  }))
  const group = alternatives.map((alternative) => alternative.id)[0] ?? ''
  return html`${fields.length > 0 && fieldList(fields, undefined, depth)}${
    items.length > 0 && tabs('alternatives', group, `Alternatives of ${id}`, items)
  }`
}

/** Whether a type says more than its fields do. */
const isTold = (type: Type, { fields }: Content) =>
  fields.length === 0 || type.schemaId !== undefined || type.isArray || type.constraints.length > 0

export function schemaSection({ id, name, description, type, content, examples }: SchemaPart): Html {
  return html`<section class="schema" id="${id}">
<div>
<h3 id="${id}-heading">${anchor(id, name)}</h3>
${prose(description)}
${
  (content.fields.length === 0 || type.constraints.length > 0) &&
  html`<p class="type-line">${typeWithin(type, content)}${limits(type.constraints)}</p>\n`
}${values(type)}${contentPart(id, content)}
</div>
${examples.length > 0 && html`<div>${examples.map((example, at) => exampleFigure(name, example, examples.length > 1 ? ` ${at + 1}` : ''))}</div>`}
</section>
`
}

function exampleFigure(name: string, example: string, number: string): Html {
  return html`<figure><figcaption>Example${number}</figcaption>\n${codeBlock(example, 'json', `the example${number} of ${name}`)}</figure>`
}

/** The text of a heading, linked to its own section. */
export function anchor(id: string, text: string): Html {
  return html`<a class="anchor" href="#${id}">${text}</a>`
}

/** What limits the values, a chip each. */
export function limits(texts: readonly string[]): Html {
  return html`${texts.map((text) => html` <span class="limit">${text.replace(/^format /, '')}</span>`)}`
}

export function values({ values, meanings }: Type): Html | false {
  const items = values.map(
    (value, at) => html`<li><code>${value}</code>${meanings[at] && html` ${inline(meanings[at])}`}</li>`,
  )
  const list = html`<ul class="values${meanings.length > 0 && ' told'}" aria-label="Values">${items}</ul>\n`
  if (items.length > MOST_VALUES)
    return html`<details><summary>${counted(items.length, 'value')}</summary>\n${list}</details>\n`
  return items.length > 0 && list
}
