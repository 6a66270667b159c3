// Types and tables of fields.
import type { Content, Field, SchemaPart, Type } from '../tree.ts'
import { codeBlock } from './code.ts'
import { type Html, html } from './markup.ts'
import { prose, scrollable } from './prose.ts'
import { tabs } from './tabs.ts'

/** A longer one may break anywhere. */
const LONGEST_NAME = 28

/** More of them open at a press. */
const MOST_VALUES = 24

/** `array of Order`, the name linked to its schema. */
export function typeInWords({ name, isArray, schemaId }: Type): Html {
  const linked = schemaId === undefined ? html`${name}` : html`<a href="#${schemaId}">${name}</a>`
  return html`<span class="type">${isArray && 'array of '}${linked}</span>`
}

/** Two columns: the name, and everything else. What is within a field opens below it. */
export function fieldTable(caption: string, heading: string, fields: readonly Field[]): Html {
  const table = html`<table class="fields"><caption class="visually-hidden">${caption}</caption>
<thead><tr><th scope="col">${heading}</th><th scope="col">Description</th></tr></thead>
<tbody>
${fields.map((field) => [fieldRow(field), nestedRow(field)])}</tbody></table>`
  return { html: scrollable(table.html) }
}

function fieldRow({ id, name, place, type, isRequired, isCondition, description, examples }: Field): Html {
  const facts = html`${place !== '' && `${place} · `}${typeInWords(type)}${isRequired && html` · <span class="required">required</span>`}`
  return html`<tr id="${id}" class="field">
<th scope="row"${name.length > LONGEST_NAME && html` class="long"`}>${isCondition ? html`<em>${name}</em>` : html`<code>${name}</code>`}</th>
<td><p class="facts">${facts}${lines(type.constraints)}</p>
${prose(description)}${values(type)}${examplesLine(examples)}</td>
</tr>
`
}

function examplesLine(examples: readonly string[]): Html | false {
  const all = examples.map((example, at) => html`${at > 0 && ', '}<code>${example}</code>`)
  return all.length > 0 && html`<p class="example">Example${all.length > 1 && 's'}: ${all}</p>\n`
}

function nestedRow({ id, name, content }: Field): Html | false {
  const { fields, alternatives } = content
  if (fields.length + alternatives.length === 0) return false
  const count = fields.length > 0 ? counted(fields.length, 'field') : counted(alternatives.length, 'alternative')
  return html`<tr class="nested"><td colspan="2"><details><summary>${count} of <code>${name}</code></summary>
${contentPart(`Fields of ${name}`, id, content)}</details></td></tr>
`
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

export function contentPart(caption: string, id: string, { fields, alternatives }: Content): Html {
  const items = alternatives.map(({ id, name, description, type, ...content }) => ({
    value: name,
    label: html`${name}`,
    panel: html`<p class="body">${typeInWords(type)}${lines(type.constraints)}</p>\n${prose(description)}${values(type)}${contentPart(`Fields of ${name}`, id, content)}`,
  }))
  const group = alternatives.map((one) => one.id)[0] ?? ''
  return html`${fields.length > 0 && fieldTable(caption, 'Field', fields)}${
    items.length > 0 && tabs('alternatives', group, `Alternatives of ${id}`, items)
  }`
}

export function schemaSection({ id, name, description, type, content, examples }: SchemaPart): Html {
  return html`<section class="schema" id="${id}">
<div>
<h3 id="${id}-heading">${anchor(id, name)}</h3>
${prose(description)}
${
  (content.fields.length === 0 || type.constraints.length > 0) &&
  html`<p>Type: ${typeInWords(type)}${lines(type.constraints)}</p>\n`
}${values(type)}${contentPart(`Fields of ${name}`, id, content)}
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

/** What limits the values, on a line of its own. */
export function lines(texts: readonly string[]) {
  return texts.length > 0 && html`<br><span class="constraint">${texts.join(' · ')}</span>`
}

export function values({ values }: Type) {
  const items = values.map((value) => html`<li><code>${value}</code></li>`)
  if (items.length > MOST_VALUES) {
    return html`<details><summary>${counted(items.length, 'value')}</summary>\n<ul class="values">${items}</ul></details>\n`
  }
  return items.length > 0 && html`<ul class="values">${items}</ul>\n`
}
