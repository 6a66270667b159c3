// The first screen: what a reader has, what it sends, and what comes back. One line leads through the three.
import type { Key } from '../keys.ts'
import type { Reference } from '../tree.ts'
import { pre } from './code.ts'
import { type Html, html } from './markup.ts'
import { notSent, statusLabel } from './operation.ts'
import type { PageContext } from './page-context.ts'
import { prose } from './prose.ts'
import { tabs } from './tabs.ts'

/** More are a list to choose from. */
const MOST_SEGMENTS = 4

export const noAccess = html`<p class="notice">This site serves only the documentation. In the samples, replace <code>YOUR_API_HOST</code> with the host of the API.</p>
`

type FirstCall = NonNullable<Reference['firstCall']>

/** Without a call that can be shown, the choice of server and key alone. */
export function firstScreen(reference: Reference, page: PageContext): Html | false {
  const { firstCall, servers, keys } = reference
  const hasChoice = page.isApiKnown && (servers.length > 0 || (keys.length > 0 && !page.hide.has('tryIt')))
  const fields = hasChoice && access(reference, page)
  if (firstCall) return steps(reference, firstCall, fields, page)
  return fields && html`<div class="choices">\n${fields}</div>\n`
}

function steps(reference: Reference, call: FirstCall, fields: Html | false, page: PageContext): Html {
  const { sample, answer, summary, id } = call
  const what = reference.keys.length > 0 && !page.hide.has('tryIt') ? 'Key' : 'Server'
  const all = [
    fields && { name: 'key', title: html`${what}`, content: fields },
    { name: 'call', title: html`${sample.label ?? sample.lang}`, content: callPart(call, page) },
    {
      name: 'answer',
      title: html`<span>Example response</span> ${statusLabel(answer.status)}`,
      content: answerPart(call),
    },
  ].filter((step) => typeof step === 'object')
  const items = all.map(
    (
      { name, title, content },
      at,
    ) => html`<li class="step step-${name}"><div class="step-head"><span class="number" aria-hidden="true">${String(at + 1)}</span><span>${title}</span></div>
${content}</li>
`,
  )
  return html`<ol class="steps" role="list" data-operation="${id}" aria-label="The first call: ${summary}">\n${items}</ol>\n`
}

function callPart(
  { id, summary, sample, isTryable, target, schemes, accept }: FirstCall,
  { isApiKnown, hide, docs }: PageContext,
): Html {
  const canSend = isApiKnown && !hide.has('tryIt')
  const send = html`<button type="button" class="primary send needs-script" data-url="${docs}/first-call.js" data-target="${target}" data-schemes="${JSON.stringify(schemes)}" data-accept="${accept ?? ''}">Send<span class="visually-hidden"> the first call</span></button> `
  return html`<div class="code">${pre(sample.source, sample.lang)}${canSend && !isTryable && notSent}<p class="foot">${canSend && isTryable && send}<a href="#${id}">${summary}</a><button type="button" class="copy needs-script">Copy<span class="visually-hidden"> the first call</span></button></p></div>
`
}

function answerPart({ answer: { text, lang } }: FirstCall): Html {
  return html`<div class="answer" role="status">${text === '' ? html`<p class="hint">No body</p>` : pre(text, lang)}</div>\n`
}

/** The base URL, a choice if there are several servers, and a field for each key, which needs a script. */
function access({ servers, keys, keyed }: Reference, { apiRoot, hide }: PageContext): Html {
  const all = servers.flatMap(({ addresses, description }) => addresses.map((url) => ({ url, description })))
  const url = (server: { url: string }) =>
    server.url.startsWith('/') ? `${apiRoot}${server.url.slice(1)}` : server.url
  const [first, ...others] = all
  const chosen =
    first && others.length === 0
      ? html`<p class="field"><span class="label">Base URL</span> <code class="server-url" data-url="${url(first)}">${first.url}</code></p>`
      : html`<p class="field"><label for="server">Base URL</label> <select id="server" autocomplete="off">${all.map(
          (server) =>
            html`<option data-url="${url(server)}">${server.url}${server.description !== '' && ` (${server.description})`}</option>`,
        )}</select></p>`
  const hasKeys = keys.length > 0 && !hide.has('tryIt')
  const count = `For ${keyed.some} of ${keyed.all} operations.`
  return html`<form class="access" aria-label="Server and API key">
${servers.length > 0 && chosen}${servers.map(({ variables }) => prose(variables))}
${hasKeys && keyFields(keys)}${hasKeys && keyed.some < keyed.all && html`<p class="hint needs-script">${count}</p>\n`}${
  hasKeys &&
  html`<noscript><p class="hint">In the samples, put your key in place of <code>$API_KEY</code>.</p></noscript>\n`
}</form>
`
}

/** Where there are several, the reader chooses by the names of their schemes. */
function keyFields(keys: readonly Key[]): Html {
  const items = keys.map((key) => ({ value: key.scheme, label: html`${key.scheme}`, panel: keyField(key) }))
  if (items.length === 1) return html`${items.map(({ panel }) => panel)}`
  if (items.length <= MOST_SEGMENTS) return tabs('segmented needs-script', 'keys', 'How to authorize', items)
  const options = items.map(({ value }) => html`<option>${value}</option>`)
  const panels = items.map(
    ({ value, panel }, at) => html`<div data-key="${value}"${at > 0 && ' hidden'}>${panel}</div>`,
  )
  return html`<p class="field needs-script"><label for="key-choice">Authorization</label> <select id="key-choice" autocomplete="off">${options}</select></p>\n${panels}`
}

function keyField({ id, hintId, scheme, label, schemeId, probe, name, prefix, in: location, variables }: Key): Html {
  const how = schemeId !== undefined && html` <a class="hint" href="#${schemeId}">How to get one</a>`
  const probed = probe !== undefined && html` data-probe="${probe}"`
  const isPair = variables.length > 1
  const more = html`autocomplete="off" spellcheck="false" placeholder=" " aria-describedby="${hintId}" data-scheme="${scheme}" data-in="${location}" data-name="${name}" data-prefix="${prefix}"${probed}`
  const password = html`
<label for="${id}-password">Password</label> <input id="${id}-password" type="password" ${more}>`
  return html`<p class="field needs-script"><label for="${id}">${label}</label>${how} <input id="${id}" type="${isPair ? 'text' : 'password'}" ${more}>${isPair && password}
<output class="hint" for="${isPair ? `${id}-password` : id}" id="${hintId}">Kept in memory until you leave the page.</output></p>
`
}
