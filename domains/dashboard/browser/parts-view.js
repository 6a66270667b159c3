// The parts of a card: the progress, the problem, the DNS record and the certificate.
import { html } from './markup.js'
import { isFailed } from './state.js'
import { dateView, textView } from './time.js'

/** @import { Domain, Schemas } from './api.js' */
/** @import { Html } from './markup.js' */
/** @import { State } from './state.js' */

const steps = ['DNS record', 'Certificate', 'Live']
const words = { done: 'done', now: 'in progress', failed: 'failed', later: 'to come' }

/** The current step. @param {Domain} domain */
function stepOf({ state, problem }) {
  if (state === 'live') return 2
  if (state === 'failed') return problem?.about === 'dns' ? 0 : 1
  return state === 'verified' || state === 'issuing' ? 1 : 0
}

/** @param {Domain} domain */
export function stepsView(domain) {
  const current = stepOf(domain)
  /** @param {number} index */
  const statusOf = (index) => {
    if (index !== current) return index < current ? 'done' : 'later'
    if (domain.state === 'live') return 'done'
    return isFailed(domain) ? 'failed' : 'now'
  }
  const items = steps.map(
    (name, index) => html`
      <li data-status="${statusOf(index)}" ${index === current && html`aria-current="step"`}>
        ${name}<span class="visually-hidden"> (${words[statusOf(index)]})</span>
      </li>`,
  )
  return html`<ol class="steps" role="list" aria-label="Progress">${items}</ol>`
}

/**
 * The problem and what to do, without the sentences of the summary above. While an attempt is running, the problem is from
 * an earlier one.
 * @param {Domain} domain
 * @param {number} now
 */
export function problemView(domain, now) {
  const { state, summary, problem } = domain
  if (!problem || (state !== 'live' && state !== 'failed')) return undefined
  /** @param {string} text */
  const isNew = (text) => !summary.includes(text)
  const { message } = problem
  const steps = problem.steps.filter(isNew)
  const notes = problem.notes.filter(isNew)
  if (!isNew(message) && steps.length + notes.length === 0) return undefined
  const heading = steps.length > 0 ? 'What to do' : 'Good to know'
  const tone = isFailed(domain) ? 'bad' : problem.isPending ? 'busy' : 'warn'
  return html`
    <div class="problem" data-tone="${tone}">
      <h4>${isNew(message) ? message : heading}</h4>
      ${steps.length > 0 && html`<ol>${steps.map((step) => html`<li>${textView(step, now)}</li>`)}</ol>`}
      ${notes.map((note) => html`<p>${textView(note, now)}</p>`)}
    </div>`
}

/**
 * @param {Domain} domain
 * @param {State} state
 * @param {string} card The domain whose card it is on.
 * @param {string} [heading]
 */
export function recordView({ domain, displayName, record, problem }, { copied }, card, heading = 'DNS record') {
  const id = card === domain ? domain : `${domain}-${card}`
  const { type, name, value, ttl, note } = record
  const fields = { Type: type, Name: name, Value: value, TTL: ttl }
  return html`
    <div class="record">
      <h4 id="record-${id}">${heading}</h4>
      <div class="compared">
        <table aria-labelledby="record-${id}">
          <tbody>${Object.entries(fields).map(([field, text]) => rowView(field, text, id, displayName, copied))}</tbody>
        </table>
        ${problem?.found && seenView(problem.found)}
      </div>
      ${note !== '' && html`<p class="muted">${note}</p>`}
    </div>`
}

/** @param {NonNullable<NonNullable<Domain['problem']>['found']>} records */
function seenView(records) {
  const items = records.map(({ type, value }) => html`<li><code>${type} ${value}</code></li>`)
  return html`
    <div class="seen">
      <h5>Seen now</h5>
      ${items.length > 0 ? html`<ul role="list">${items}</ul>` : html`<p class="muted">No record</p>`}
    </div>`
}

/** @param {string} field @param {string | number} text @param {string} record @param {string} host @param {string} [copied] */
function rowView(field, text, record, host, copied) {
  const id = `copy-${field}-${record}`
  return html`
    <tr>
      <th scope="row">${field}</th>
      <td><code>${text}</code></td>
      <td>
        <button type="button" id="${id}" class="quiet" data-action="copy">
          ${copied === id ? 'Copied' : 'Copy'}<span class="visually-hidden"> ${field} of ${host}</span>
        </button>
      </td>
    </tr>`
}

/** @param {Schemas['Certificate']} certificate */
export function certificateView({ issuer, authority, notAfter, renewsAt }) {
  /** @param {string} term @param {string | Html} fact */
  const row = (term, fact) => html`<div><dt>${term}</dt><dd>${fact}</dd></div>`
  return html`
    <div class="certificate">
      <h4>Certificate</h4>
      <dl>
        ${row('Issued by', issuer)}
        ${authority !== undefined && row('Ordered from', new URL(authority).host)}
        ${row('Valid until', dateView(notAfter))}
        ${row('Renews about', dateView(renewsAt))}
      </dl>
    </div>`
}
