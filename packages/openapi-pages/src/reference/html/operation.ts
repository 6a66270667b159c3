// An operation: prose, parameters and responses, then, for a second column, code samples and example responses.
import { mayLink } from '../links.ts'
import { paragraphs } from '../texts.ts'
import type { Badge, BodyPart, Format, OperationPart, ResponsePart } from '../tree.ts'
import { codeBlock } from './code.ts'
import { anchor, contentPart, fieldList, limits, typeInWords, values } from './fields.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { firstLine, inline, prose } from './prose.ts'
import { languageChoice, type MoreSamples } from './samples.ts'
import { tabs } from './tabs.ts'

export function operationArticle(operation: OperationPart, page: PageContext): Html {
  const { id, method, path, summary } = operation
  return html`<article class="operation" id="${id}" data-method="${method}" data-path="${path}">
<header class="operation-head">
<h3 id="${id}-heading">${anchor(id, summary)}</h3>
${endpoint(operation)}</header>
<div class="operation-prose">
${requestProse(operation, false)}</div>
<div class="operation-aside">
${exchange(operation, page)}</div>
</article>
`
}

/** @param hasExamples whether the examples are within */
function requestProse(operation: OperationPart, hasExamples: boolean): Html {
  const { description, notice, access, parameters, body, responses, shared, callbacks } = operation
  return html`${notice !== undefined && html`<p class="notice">${notice}</p>\n`}${prose(description)}${authorization(access)}${
    parameters.length > 0 && html`${part('Parameters')}${fieldList(parameters, 'Parameter')}`
  }${body && requestBody(body)}${part('Responses')}
${responses.map((response) => responseSection(response, hasExamples))}${shared.length > 0 && sharedErrors(shared)}${callbacks.map(callbackPart)}`
}

function part(title: string, more: Html | false = false): Html {
  return html`<div class="part"><h4>${title}</h4>${more}</div>\n`
}

/** The first line says who may call it, behind a lock; others, at which servers. */
function authorization(access: string): Html | false {
  const [first = '', ...others] = access.split('\n\n')
  const who = first.replace(/^Authorization: /, '')
  const line =
    who !== first &&
    html`<p class="authorization"><span class="visually-hidden">Authorization: </span><span>${who === 'none' ? 'no key needed' : inline(who)}</span></p>\n`
  return html`${line}${prose(paragraphs(...(line ? others : [access])))}`
}

/** Requests that the API sends, which open. */
function callbackPart({ name, operations }: OperationPart['callbacks'][number]): Html {
  const parts = operations.map(
    (operation) =>
      html`<div class="callback" id="${operation.id}">\n<p>${operation.summary}</p>\n${endpoint(operation)}${requestProse(operation, true)}${bodyExamples(operation, false)}</div>\n`,
  )
  return html`<details class="callbacks"><summary>Callback <code>${name}</code></summary>\n${parts}</details>\n`
}

/** The parameters in the path lead to their descriptions. */
function endpoint({ method, path, parameters, badges }: OperationPart): Html {
  const parts = path.split(/(\{[^{}]*\})/).map((part) => {
    const parameter = parameters.find(({ name, location }) => location === 'path' && part === `{${name}}`)
    return parameter ? html`<a href="#${parameter.id}">${part}</a>` : html`${part}`
  })
  return html`<p class="endpoint">${methodLabel(method)} <code class="path">${parts}</code>${badges.map(badge)}</p>\n`
}

/** The request in each language, its other bodies, what sends it, and its responses. The form opens below its button. */
function exchange(operation: OperationPart, { isApiKnown, more, hide, docs }: PageContext): Html {
  const { operationId, summary, isTryable } = operation
  const sample = !hide.has('samples') && samples(operation, more)
  const canTry = isApiKnown && !hide.has('tryIt')
  const button = canTry && (isTryable ? tryItButton(operationId, summary, docs) : sample && notSent)
  return html`<div class="request">\n${sample}${bodyExamples(operation, sample !== false)}${button}${examples(operation)}</div>\n`
}

/** In place of the button, where the document allows no form. */
export const notSent = html`<p class="hint needs-script">Copy it to run it: this page does not send it.</p>\n`

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
    ...formats.map((format) => formatPart(id, format)),
    ...(headers.length > 0 ? [html`<p class="type-line">Headers: ${names}</p>\n`] : []),
    ...(links === '' ? [] : [html`<p class="type-line">What can follow:</p>\n${prose(links)}`]),
    ...(hasExamples ? formats.flatMap(({ examples }) => examples.map(figureOf(status))) : []),
  ]
  if (details.length === 0) return html`<p class="response" id="${id}">${title}</p>\n`
  return html`<details class="response" id="${id}"><summary>${title}</summary>
<div class="inside">${details}</div></details>
`
}

/** The heading says what the first format is. */
function requestBody({ id, isRequired, description, formats: [first, ...others] }: BodyPart): Html {
  const required = isRequired && html` <span class="required">required</span>`
  return html`<section class="request-body" id="${id}">
${part('Body', html`${first && !isObject(first) && html` ${typeInWords(first.type)}`}${required}${first && limits(first.type.constraints)}${first && html` ${mediaOf(first)}`}`)}${prose(description)}${first && formatContent(id, first)}${others.map((format) => formatPart(id, format))}</section>
`
}

/** Its fields say so. */
const isObject = ({ type, content }: Format) => type.name === 'object' && !type.isArray && content.fields.length > 0

const mediaOf = ({ mediaType }: Format) => html`<code class="media">${mediaType}</code>`

/** Its type and its fields. */
function formatPart(id: string, format: Format): Html {
  const { type, isRepeated } = format
  if (isRepeated) return html`<p class="type-line">the same ${mediaOf(format)}</p>\n`
  return html`<p class="type-line">${typeInWords(type)}${limits(type.constraints)} ${mediaOf(format)}</p>\n${formatContent(id, format)}`
}

function formatContent(id: string, { mediaType, type, description, content }: Format): Html {
  return html`${prose(description)}${type.schemaId === undefined && values(type)}${contentPart(`${id} ${mediaType}`, content)}`
}

/** Each link is also the target of an address such as `#cancelOrder-503`. */
function sharedErrors(shared: OperationPart['shared']): Html {
  const links = shared.map(
    ({ id, target, status }) => html` <a id="${id}" href="#${target}">${statusLabel(status)}</a>`,
  )
  return html`<p class="response shared-errors"><a href="#responses">Every operation</a>${links}</p>\n`
}

export function statusLabel(status: string): Html {
  return html`<span class="status status-${status.slice(0, 1)}xx">${status}</span>`
}

function samples({ id, operationId, summary, samples }: OperationPart, more: readonly MoreSamples[]): Html | false {
  const items = samples.map(({ lang, label, source }) => ({
    value: label,
    label: html`${label}`,
    panel: codeBlock(source, lang, `the ${label} sample of ${summary}`),
  }))
  const others = more.filter((language) => language.samples().has(operationId))
  const choice = others.length > 0 && languageChoice(summary, others)
  return items.length > 0 && tabs('samples', `samples-${id}`, `Code samples of ${id}`, items, choice)
}

/** The samples have one of them already. */
function bodyExamples({ id, summary, body }: OperationPart, hasSamples: boolean): Html | false {
  const items = (body?.formats ?? []).flatMap(({ mediaType, examples }, at) =>
    examples.map((example) => {
      const name = at === 0 || examples.length > 1 ? example.summary : ''
      const isShown = hasSamples && example.isSent
      return {
        value: example.name,
        label: html`${name}${at > 0 && html`${name && ' '}<code>${mediaType}</code>`}`,
        panel: isShown ? prose(example.description) : figureOf(`the request of ${summary}`)(example),
      }
    }),
  )
  const [first] = items
  if (!first || (items.length === 1 && first.panel.html === '')) return false
  return tabs('choice', `bodies-${id}-0`, `Bodies of ${id}`, items)
}

function examples({ id, summary, responses }: OperationPart): Html {
  const items = responses.map(({ status, reason, head, formats }) => ({
    value: status,
    label: statusLabel(status),
    panel: html`${headPart(reason, head, formats)}${formats.map((format, at) => responseExample(format, at, `results-${id}-${status}-${at}`, `${status} of ${summary}`))}`,
  }))
  return tabs('examples', `examples-${id}`, `Example responses of ${id}`, items)
}

/** The status in words, the media type, and the headers, folded. */
function headPart(reason: string, head: string, [format]: readonly Format[]): Html {
  const [, ...lines] = head.split('\n')
  const line = html`<b>${reason}</b> <span>${format?.mediaType ?? 'no body'}</span>`
  if (lines.length === 0) return html`<p class="head">${line}</p>\n`
  const count = `${lines.length} header${lines.length === 1 ? '' : 's'}`
  return html`<details class="head"><summary>${line} <span>${count}</span></summary><p><code>${lines.join('\n')}</code></p></details>\n`
}

function responseExample(format: Format, at: number, name: string, owner: string): Html {
  const content = figures(format, name, owner)
  return at === 0
    ? content
    : html`<div class="more">\n<p class="head"><span>${format.mediaType}</span></p>\n${content}</div>\n`
}

/** Several are tabs of the group `name`. */
function figures({ examples }: Format, name: string, owner: string): Html {
  const figure = figureOf(owner)
  if (examples.length < 2) return html`${examples.map(figure)}`
  const items = examples.map((example) => ({
    value: example.name,
    label: html`${example.summary}`,
    panel: figure(example),
  }))
  return tabs('choice', name, `Examples of ${owner}`, items)
}

/** `owner` is what it is an example of. The label of a tab says its name. */
function figureOf(owner: string) {
  return ({
    name,
    summary,
    description,
    url,
    text,
    lang,
  }: Format['examples'][number]) => html`<figure data-example="${name}">
<figcaption class="visually-hidden">${summary}</figcaption>
${prose(description)}${url === undefined ? codeBlock(text, lang, `the example ${summary}, ${owner}`) : html`<p>${mayLink(url) ? html`<a href="${url}">${url}</a>` : url}</p>\n`}</figure>
`
}
