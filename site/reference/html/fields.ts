// Types and tables of fields.
import type { Field, SchemaPart, Type } from '../tree.ts'
import { codeBlock } from './code.ts'
import { type Html, html } from './markup.ts'
import { prose, scrollable } from './prose.ts'

/** `array of Order`, the name linked to its schema. */
export function typeInWords({ name, isArray, schemaId }: Type): Html {
  const linked = schemaId === undefined ? html`${name}` : html`<a href="#${schemaId}">${name}</a>`
  return html`<span class="type">${isArray && 'array of '}${linked}</span>`
}

export function fieldTable(caption: string, heading: string, fields: readonly Field[]): Html {
  const rows = fields.map(
    ({ id, name, place, type, isRequired, description, example }) => html`<tr id="${id}" class="field">
<th scope="row"><code>${name}</code>${isRequired && html` <span class="required">required</span>`}</th>
<td>${typeInWords(type)}${lines([...place, ...type.constraints])}</td>
<td>${prose(description)}${values(type)}${
      example !== undefined && html`<p class="example">Example: <code>${example}</code></p>\n`
    }</td>
</tr>
`,
  )
  const table = html`<table class="fields"><caption class="visually-hidden">${caption}</caption>
<thead><tr><th scope="col">${heading}</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows}</tbody></table>`
  return { html: scrollable(table.html) }
}

export function schemaSection({ id, name, description, type, fields, example }: SchemaPart): Html {
  return html`<section class="schema" id="${id}">
<div>
<h3 id="${id}-heading">${anchor(id, name)}</h3>
${prose(description)}
${
  fields.length > 0
    ? fieldTable(`Fields of ${name}`, 'Field', fields)
    : html`<p>Type: ${typeInWords(type)}${lines(type.constraints)}</p>\n${values(type)}`
}
</div>
${example !== undefined && html`<figure><figcaption>Example</figcaption>\n${codeBlock(example, 'json', `the example of ${name}`)}</figure>`}
</section>
`
}

/** The text of a heading, linked to its own section. */
export function anchor(id: string, text: string): Html {
  return html`<a class="anchor" href="#${id}">${text}</a>`
}

export function lines(texts: readonly string[]) {
  return texts.map((text) => html`<br><span class="constraint">${text}</span>`)
}

function values({ values }: Type) {
  const items = values.map((value) => html`<li><code>${value}</code></li>`)
  return items.length > 0 && html`<ul class="values">${items}</ul>\n`
}
