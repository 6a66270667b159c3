// The parts of a card: the progress, the problem, the DNS record and the certificate.
import { h } from './dom.js'
import { dateView, textView } from './time.js'

/** @typedef {import('./state.js').Domain} Domain */
/** @typedef {import('./state.js').State} State */
/** @typedef {import('./api.js').Schemas} Schemas */

const steps = ['DNS record', 'Certificate', 'Live']
const aboutDns = [
  'record_missing',
  'conflicting_record',
  'cname_mismatch',
  'target_unresolvable',
  'dns_unreachable',
  'dnssec_broken',
  'record_not_everywhere',
]
const words = { done: 'done', now: 'in progress', failed: 'failed', later: 'to come' }

/** The current step. @param {Domain} domain */
function stepOf({ state, problem }) {
  if (state === 'live') return 2
  if (state === 'failed') return problem && aboutDns.includes(problem.code) ? 0 : 1
  return state === 'verified' || state === 'issuing' ? 1 : 0
}

/** @param {Domain} domain */
export function stepsView(domain) {
  const current = stepOf(domain)
  /** @param {number} index */
  const statusOf = (index) => {
    if (index !== current) return index < current ? 'done' : 'later'
    if (domain.state === 'live') return 'done'
    return domain.state === 'failed' ? 'failed' : 'now'
  }
  return h(
    'ol',
    { class: 'steps', role: 'list', 'aria-label': 'Progress' },
    ...steps.map((name, index) =>
      h(
        'li',
        {
          'data-status': statusOf(index),
          'aria-current': index === current && 'step',
        },
        name,
        h('span', { class: 'visually-hidden' }, ` (${words[statusOf(index)]})`),
      ),
    ),
  )
}

/**
 * The problem and what to do, without the sentences of the summary above. While an attempt is running, the problem is from
 * an earlier one.
 * @param {Domain} domain
 * @param {number} now
 */
export function problemView({ state, summary, problem }, now) {
  if (!problem || (state !== 'live' && state !== 'failed')) return null
  /** @param {string} text */
  const isNew = (text) => !summary.includes(text)
  const { message } = problem
  const steps = problem.steps.filter(isNew)
  const notes = problem.notes.filter(isNew)
  if (!isNew(message) && steps.length + notes.length === 0) return null
  const heading = steps.length > 0 ? 'What to do' : 'Good to know'
  return h(
    'div',
    { class: 'problem', 'data-tone': state === 'live' ? 'warn' : 'bad' },
    h('h4', {}, isNew(message) ? message : heading),
    steps.length > 0 && h('ol', {}, ...steps.map((step) => h('li', {}, ...textView(step, now)))),
    ...notes.map((note) => h('p', {}, ...textView(note, now))),
  )
}

/**
 * @param {Domain} domain
 * @param {State} state
 * @param {string} card The domain whose card it is on.
 * @param {string} [heading]
 */
export function recordView({ domain, record }, { copied }, card, heading = 'DNS record') {
  const id = card === domain ? domain : `${domain}-${card}`
  const { type, name, value, ttl, note } = record
  const fields = { Type: type, Name: name, Value: value, TTL: ttl }
  return h(
    'div',
    { class: 'record' },
    h('h4', { id: `record-${id}` }, heading),
    h(
      'table',
      { 'aria-labelledby': `record-${id}` },
      h('tbody', {}, ...Object.entries(fields).map(([field, text]) => rowView(field, text, id, copied))),
    ),
    note !== '' && h('p', { class: 'muted' }, note),
  )
}

/** @param {string} field @param {string | number} text @param {string} record @param {string} [copied] */
function rowView(field, text, record, copied) {
  const id = `copy-${field}-${record}`
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, field),
    h('td', {}, h('code', {}, text)),
    h(
      'td',
      {},
      h(
        'button',
        { type: 'button', id, class: 'quiet', 'data-action': 'copy' },
        copied === id ? 'Copied' : 'Copy',
        h('span', { class: 'visually-hidden' }, ` ${field}`),
      ),
    ),
  )
}

/** @param {Schemas['Certificate']} certificate */
export function certificateView({ issuer, authority, notAfter, renewsAt }) {
  const facts = {
    'Issued by': issuer,
    ...(authority !== undefined && { 'Ordered from': new URL(authority).host }),
    'Valid until': dateView(notAfter),
    'Renews about': dateView(renewsAt),
  }
  return h(
    'div',
    { class: 'certificate' },
    h('h4', {}, 'Certificate'),
    h('dl', {}, ...Object.entries(facts).map(([term, fact]) => h('div', {}, h('dt', {}, term), h('dd', {}, fact)))),
  )
}
