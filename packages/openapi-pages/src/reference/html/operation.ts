// An operation: prose, parameters and responses, then, for a second column, code samples and example responses.
import type { Badge, BodyPart, Format, OperationPart, ResponsePart } from '../tree.ts'
import { codeBlock } from './code.ts'
import { anchor, contentPart, fieldTable, lines, typeInWords, values } from './fields.ts'
import { type Html, html } from './markup.ts'
import type { Place } from './place.ts'
import { firstLine, prose } from './prose.ts'
import { languageChoice, type MoreSamples } from './samples.ts'
import { tabs } from './tabs.ts'

export function operationArticle(operation: OperationPart, place: Place): Html {
  const { id, method, path, summary } = operation
  return html`<article class="operation" id="${id}" data-method="${method}" data-path="${path}">
<header class="operation-head">
<h3 id="${id}-heading">${anchor(id, summary)}</h3>
${endpoint(operation)}</header>
<div class="operation-prose">
${requestProse(operation, false)}</div>
<div class="operation-aside">
${exchange(operation, place)}</div>
</article>
`
}

/** @param hasExamples whether the examples are within */
function requestProse(operation: OperationPart, hasExamples: boolean): Html {
  const { id, description, notice, access, parameters, body, responses, shared, callbacks } = operation
  return html`${notice !== undefined && html`<p class="notice">${notice}</p>\n`}${prose(description)}
${access !== '' && html`<div class="authorization">${prose(access)}</div>\n`}${parameters.length > 0 && fieldTable(`Parameters of ${id}`, 'Parameter', parameters)}${body && requestBody(id, body)}<h4>Responses</h4>
${responses.map((response) => responseSection(response, hasExamples))}${shared.length > 0 && sharedErrors(shared)}${callbacks.map(callbackPart)}`
}

/** Requests that the API sends, which open. */
function callbackPart({ name, operations }: OperationPart['callbacks'][number]): Html {
  const parts = operations.map(
    (one) =>
      html`<div class="callback" id="${one.id}">\n<p>${one.summary}</p>\n${endpoint(one)}${requestProse(one, true)}${bodyExamples(one)}</div>\n`,
  )
  return html`<details class="callbacks"><summary>Callback <code>${name}</code></summary>\n${parts}</details>\n`
}

/** The parameters in the path lead to their descriptions. */
function endpoint({ method, path, parameters, badges }: OperationPart): Html {
  const parts = path.split(/(\{[^{}]*\})/).map((part) => {
    const parameter = parameters.find(({ name, place }) => place === 'path' && part === `{${name}}`)
    return parameter ? html`<a href="#${parameter.id}">${part}</a>` : html`${part}`
  })
  return html`<p class="endpoint">${methodLabel(method)} <code class="path">${parts}</code>${badges.map(badge)}</p>\n`
}

/** The request in each language, what sends it, and its responses. The form opens below its button. */
function exchange(operation: OperationPart, { isApiKnown, more, hide, docs }: Place): Html {
  const { operationId, summary, isTryable } = operation
  const parts = [
    !hide.has('samples') && samples(operation, more),
    isApiKnown && isTryable && !hide.has('tryIt') && tryItButton(operationId, summary, docs),
  ].filter((part) => part !== false)
  return html`<div class="request">\n${parts}${bodyExamples(operation)}${examples(operation)}</div>\n`
}

/** What it opens is in browser/. */
function tryItButton(operationId: string, summary: string, docs: string): Html {
  const url = `${docs}/operations/${encodeURIComponent(operationId)}.js`
  return html`<button type="button" class="try-it needs-script" data-url="${url}" aria-expanded="false">Try it<span class="visually-hidden">: ${summary}</span></button>\n`
}

/** As in the contents and in the operation itself. */
export function methodLabel(method: string): Html {
  return html`<span class="method method-${method.toLowerCase()}">${method}</span>`
}

function badge({ kind, text }: Badge): Html {
  return html` <span class="badge badge-${kind}">${text}</span>`
}

/** A line that opens, if there is more to say. Where `hasExamples`, the examples are within. */
export function responseSection(response: ResponsePart, hasExamples: boolean): Html {
  const { id, status, reason, description, headers, headerIds, formats, links } = response
  const names = headers.map((name, i) => html`${i > 0 && ', '}<a href="#${headerIds[i]}"><code>${name}</code></a>`)
  const { line, isAll } = firstLine(description)
  const title = html`<span class="response-title">${statusLabel(status)} ${reason}</span> <span class="response-line">${line}</span>`
  const details = [
    ...(isAll ? [] : [prose(description)]),
    ...formats.map((format) => formatPart(`Fields of ${id}`, id, format)),
    ...(headers.length > 0 ? [html`<p class="body">Headers: ${names}</p>\n`] : []),
    ...(links === '' ? [] : [html`<p class="body">What can follow:</p>\n${prose(links)}`]),
    ...(hasExamples ? formats.flatMap(({ examples }) => examples.map(figureOf(status))) : []),
  ]
  if (details.length === 0) return html`<p class="response" id="${id}">${title}</p>\n`
  return html`<details class="response" id="${id}"><summary>${title}</summary>
${details}</details>
`
}

function requestBody(owner: string, { id, isRequired, description, formats }: BodyPart): Html {
  const parts = formats.map((format) => formatPart(`Fields of the body of ${owner}`, id, format))
  return html`<section class="request-body" id="${id}">
<h4>Request body${isRequired && html` <span class="required">required</span>`}</h4>
${prose(description)}${parts}</section>
`
}

/** Its type and its fields. JSON needs no mention. */
function formatPart(caption: string, id: string, format: Format): Html {
  const { mediaType, type, description, content, isRepeated } = format
  if (isRepeated) return html`<p class="body">Also as <code>${mediaType}</code></p>\n`
  const named = mediaType !== 'application/json' && html`, <code>${mediaType}</code>`
  return html`<p class="body">Body: ${typeInWords(type)}${named}${lines(type.constraints)}</p>\n${prose(description)}${type.schemaId === undefined && values(type)}${contentPart(caption, `${id} ${mediaType}`, content)}`
}

/** Each link is also the target of an address such as `#cancelOrder-503`. */
function sharedErrors(shared: OperationPart['shared']): Html {
  const links = shared.map(
    ({ id, target, status }) => html` <a id="${id}" href="#${target}">${statusLabel(status)}</a>`,
  )
  return html`<p class="shared-errors"><a href="#responses">Errors that every operation can return</a>:${links}</p>\n`
}

function statusLabel(status: string): Html {
  return html`<span class="status status-${status.slice(0, 1)}xx">${status}</span>`
}

function samples({ id, operationId, summary, samples }: OperationPart, more: readonly MoreSamples[]): Html | false {
  const items = samples.map(({ lang, label, source }) => ({
    value: label,
    label: html`${label}`,
    panel: codeBlock(source, lang, `the ${label} sample of ${summary}`),
  }))
  const others = more.filter((one) => one.samples().has(operationId))
  const choice = others.length > 0 && languageChoice(summary, others)
  return items.length > 0 && tabs('samples', `samples-${id}`, `Code samples of ${id}`, items, choice)
}

function bodyExamples({ id, summary, body }: OperationPart): Html | false {
  const formats = (body?.formats ?? []).filter(({ examples }) => examples.length > 0)
  const parts = formats.map(
    (format, at) =>
      html`<div class="request-example" data-type="${format.mediaType}">\n${formats.length > 1 && html`<p class="media">${format.mediaType}</p>\n`}${figures(format, `bodies-${id}-${at}`, `the request of ${summary}`)}</div>\n`,
  )
  return parts.length > 0 && html`<h4>Request body</h4>\n${parts}`
}

function examples({ id, summary, responses }: OperationPart): Html {
  const items = responses.map(({ status, head, formats }) => ({
    value: status,
    label: statusLabel(status),
    panel: html`<p class="head"><code>${head}</code></p>\n${formats.map((format, at) => figures(format, `results-${id}-${status}-${at}`, `${status} of ${summary}`))}`,
  }))
  return html`<h4>Response</h4>\n${tabs('examples', `examples-${id}`, `Example responses of ${id}`, items)}`
}

/** Several are tabs of the group `name`. */
function figures({ examples }: Format, name: string, owner: string): Html {
  const figure = figureOf(owner)
  if (examples.length < 2) return html`${examples.map(figure)}`
  const items = examples.map((one) => ({ value: one.name, label: html`${one.summary}`, panel: figure(one) }))
  return tabs('bodies', name, `Examples of ${owner}`, items)
}

/** `owner` is what it is an example of. */
function figureOf(owner: string) {
  return ({
    name,
    summary,
    description,
    url,
    text,
    lang,
  }: Format['examples'][number]) => html`<figure data-example="${name}">
<figcaption${summary === 'Example' && html` class="visually-hidden"`}>${summary}</figcaption>
${prose(description)}${url === undefined ? codeBlock(text, lang, `the example ${summary}, ${owner}`) : html`<p><a href="${url}">${url}</a></p>\n`}</figure>
`
}
