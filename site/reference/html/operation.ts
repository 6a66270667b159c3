// An operation: prose, parameters and responses, then, for a second column, code samples and example responses.
import type { Badge, BodyPart, Format, OperationPart, ResponsePart } from '../tree.ts'
import { codeBlock } from './code.ts'
import { anchor, fieldTable, lines, typeInWords } from './fields.ts'
import { type Html, html } from './markup.ts'
import { prose } from './prose.ts'

/** `shared` are the errors that every operation can return. */
export function operationArticle(operation: OperationPart, shared: readonly ResponsePart[], canTry: boolean): Html {
  const { id, method, path, summary, description, badges, notice, isTryable, parameters, body, responses } = operation
  return html`<article class="operation" id="${id}" data-method="${method}" data-path="${path}">
<div class="operation-prose">
<h3 id="${id}-heading">${anchor(id, summary)}</h3>
<p class="endpoint">${methodLabel(method)} <code class="path">${path}</code>${badges.map(badge)}</p>
${notice !== undefined && html`<p class="notice">${notice}</p>\n`}${prose(description)}
${parameters.length > 0 && fieldTable(`Parameters of ${id}`, 'Parameter', parameters)}${body && requestBody(id, body)}<h4>Responses</h4>
${responses.map((response) => responseSection(response, false))}${shared.length > 0 && sharedErrors(id, shared)}</div>
<div class="operation-aside">
${canTry && isTryable && tryItButton(id, summary)}${samples(operation)}${bodyExamples(operation)}${examples(operation)}</div>
</article>
`
}

/** What it opens is in site/browser. */
function tryItButton(id: string, summary: string): Html {
  return html`<button type="button" class="try-it needs-script" data-operation="${id}" aria-expanded="false">Try it<span class="visually-hidden">: ${summary}</span></button>\n`
}

/** As in the contents and in the operation itself. */
export function methodLabel(method: string): Html {
  return html`<span class="method method-${method.toLowerCase()}">${method}</span>`
}

function badge({ kind, text }: Badge): Html {
  return html` <span class="badge badge-${kind}">${text}</span>`
}

/** Where the examples are within it, they are folded, with what else follows the description. */
export function responseSection(response: ResponsePart, hasExamples: boolean): Html {
  const { id, status, reason, description, headers, formats } = response
  const names = headers.map((name, i) => html`${i > 0 && ', '}<a href="#headers-${name}"><code>${name}</code></a>`)
  const examples = formats.flatMap((format) => format.examples)
  const body = formats.map((format) => formatPart(`Fields of ${id}`, format))
  const details = html`${body}${headers.length > 0 && html`<p class="body">Headers: ${names}</p>\n`}`
  return html`<section class="response" id="${id}">
<p class="response-title">${statusLabel(status)} ${reason}</p>
${prose(description)}${hasExamples ? html`<details><summary>Example<span class="visually-hidden"> of ${status}</span></summary>\n${details}${examples.map(figureOf(status))}</details>\n` : details}</section>
`
}

function requestBody(owner: string, { id, isRequired, description, formats }: BodyPart): Html {
  const parts = formats.map((format) => formatPart(`Fields of the body of ${owner}`, format))
  return html`<section class="response" id="${id}">
<h4>Request body${isRequired && html` <span class="required">required</span>`}</h4>
${prose(description)}${parts}</section>
`
}

/** Its type and its fields. JSON needs no mention. */
function formatPart(caption: string, { mediaType, type, fields }: Format): Html {
  const named = mediaType !== 'application/json' && html`, <code>${mediaType}</code>`
  return html`<p class="body">Body: ${typeInWords(type)}${named}${lines(type.constraints)}</p>\n${fields.length > 0 && fieldTable(caption, 'Field', fields)}`
}

/** The fragments of earlier versions, such as `cancelOrder-503`, lead here. */
function sharedErrors(id: string, shared: readonly ResponsePart[]): Html {
  const links = shared.map(
    ({ id: target, status }) => html` <a id="${id}-${status}" href="#${target}">${statusLabel(status)}</a>`,
  )
  return html`<p class="shared-errors"><a href="#responses">Errors that every operation can return</a>:${links}</p>\n`
}

function statusLabel(status: string): Html {
  return html`<span class="status status-${status.slice(0, 1)}xx">${status}</span>`
}

function samples({ id, summary, samples }: OperationPart): Html | false {
  const items = samples.map(({ lang, label, source }) => ({
    value: label,
    label: html`${label}`,
    panel: codeBlock(source, lang, `the ${label} sample of ${summary}`),
  }))
  return items.length > 0 && tabs('samples', `samples-${id}`, `Code samples of ${id}`, items)
}

/** The form reads the first of each media type. */
function bodyExamples({ summary, body }: OperationPart): Html | false {
  const formats = (body?.formats ?? []).filter(({ examples }) => examples.length > 0)
  const parts = formats.map(
    ({ mediaType, examples }) =>
      html`<div class="request-example" data-type="${mediaType}">\n${examples.map(figureOf(`the request of ${summary}`))}</div>\n`,
  )
  return parts.length > 0 && html`<h4>Example request body</h4>\n${parts}`
}

function examples({ id, summary, responses }: OperationPart): Html {
  const items = responses.map(({ status, reason, formats }) => ({
    value: status,
    label: statusLabel(status),
    panel:
      formats.length > 0
        ? html`${formats.flatMap(({ examples }) => examples.map(figureOf(`${status} of ${summary}`)))}`
        : html`<p class="hint">${status} ${reason} has no body.</p>\n`,
  }))
  return html`<h4>Example responses</h4>\n${tabs('examples', `examples-${id}`, `Example responses of ${id}`, items)}`
}

/** `owner` is what it is an example of. */
function figureOf(owner: string) {
  return ({ name, summary, text, lang }: Format['examples'][number]) => html`<figure data-example="${name}">
<figcaption>${summary}</figcaption>
${codeBlock(text, lang, `the example ${summary}, ${owner}`)}</figure>
`
}

interface Tab {
  value: string
  label: Html
  panel: Html
}

/**
 * Tabs that need no script: radio buttons, each followed by its label and its panel; the style sheet shows the panel of
 * the checked one. `name` distinguishes the buttons of one group from those of all others.
 */
function tabs(kind: string, name: string, label: string, items: readonly Tab[]): Html {
  const tab = ({ value, label, panel }: Tab, i: number) => {
    const id = `${name}-${i}`
    return html`<input type="radio" class="visually-hidden" autocomplete="off" name="${name}" id="${id}" value="${value}"${i === 0 && ' checked'}><label for="${id}">${label}</label>
<div class="tab-panel" data-tab="${value}">
${panel}</div>
`
  }
  return html`<div class="tabs ${kind}" role="radiogroup" aria-label="${label}">
${items.map(tab)}</div>
`
}
