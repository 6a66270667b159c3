// An operation: its prose and parameters, then, for a second column, its code samples and responses.
import type { Badge, OperationPart, ResponsePart } from '../tree.ts'
import { codeBlock } from './code.ts'
import { anchor, fieldTable, typeInWords } from './fields.ts'
import { type Html, html } from './markup.ts'
import { prose } from './prose.ts'
import { tabs } from './tabs.ts'

export function operationArticle(operation: OperationPart): Html {
  const { id, method, path, summary, description, badges, notice, isTryable, parameters } = operation
  const tryable = isTryable ? 'true' : 'false'
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-heading" data-method="${method}" data-path="${path}" data-tryable="${tryable}">
<div class="operation-prose">
<h3 id="${id}-heading">${anchor(id, summary)}</h3>
<p class="endpoint">${methodLabel(method)} <code class="path">${path}</code>${badges.map(badge)}</p>
${notice !== undefined && html`<p class="notice">${notice}</p>\n`}${prose(description)}
${parameters.length > 0 && fieldTable(`Parameters of ${id}`, 'Parameter', parameters)}</div>
<div class="operation-aside">
${isTryable && tryItButton(id)}${samples(operation)}${responses(operation)}</div>
</article>
`
}

/** What it opens is in browser/docs. */
function tryItButton(id: string): Html {
  return html`<button type="button" class="try-it needs-script" data-operation="${id}" aria-expanded="false">Try it</button>\n`
}

/** As in the contents and in the operation itself. */
export function methodLabel(method: string): Html {
  return html`<span class="method method-${method.toLowerCase()}">${method}</span>`
}

function badge({ kind, text }: Badge): Html {
  return html` <span class="badge badge-${kind}">${text}</span>`
}

function samples({ id, samples }: OperationPart): Html | false {
  const items = samples.map(({ lang, label, source }) => ({
    value: label,
    label: html`${label}`,
    panel: codeBlock(source, lang),
  }))
  return (
    items.length > 0 && tabs({ group: 'samples', panel: 'sample' }, `samples-${id}`, `Code samples of ${id}`, items)
  )
}

function responses({ id, responses }: OperationPart): Html {
  const items = responses.map((response) => ({
    value: response.status,
    label: statusLabel(response.status),
    id: response.id,
    panel: responsePanel(response),
  }))
  const group = tabs({ group: 'responses', panel: 'response' }, `responses-${id}`, `Responses of ${id}`, items)
  return html`<h4>Responses</h4>\n${group}`
}

function statusLabel(status: string): Html {
  return html`<span class="status status-${status.slice(0, 1)}xx">${status}</span>`
}

function responsePanel({ status, reason, description, headers, type, examples }: ResponsePart): Html {
  const body = type && html`<p class="body">Body: ${typeInWords(type)}, <code>application/json</code></p>\n`
  return html`<p class="response-title">${statusLabel(status)} ${reason}</p>
${prose(description)}${body}${examples.map(
  ({ name, summary, text }) => html`<figure data-example="${name}">
<figcaption>${summary}</figcaption>
${codeBlock(text, 'json')}</figure>
`,
)}${headers.length > 0 && fieldTable(`Headers of ${status}`, 'Header', headers)}`
}
