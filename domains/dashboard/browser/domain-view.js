// The card of a domain: its name and state and, when open, its details.
import { h } from './dom.js'
import { menuView } from './menu.js'
import { certificateView, problemView, recordView, stepsView } from './parts-view.js'
import { isOpen, isSettled, isWorking, partnerOf, summaryOf } from './state.js'
import { secondsUntil, textView, timeView } from './time.js'

/** @typedef {import('./state.js').Domain} Domain */
/** @typedef {import('./state.js').State} State */

/** @type {Record<Domain['state'], { text: string, tone: string }>} */
const badges = {
  added: { text: 'Not verified', tone: 'plain' },
  verifying: { text: 'Verifying', tone: 'busy' },
  verified: { text: 'Verified', tone: 'busy' },
  issuing: { text: 'Issuing certificate', tone: 'busy' },
  live: { text: 'Live', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
}

/** Servers that do not answer are no failure of the user's. @param {Domain} domain */
export function badgeOf({ state, problem }) {
  if (state === 'live' && problem) return { text: 'Live, with a problem', tone: 'warn' }
  if (state === 'failed' && problem?.code.endsWith('_unreachable')) return { text: 'Waiting for DNS', tone: 'warn' }
  return badges[state]
}

/** @param {Domain} domain @param {State} state */
export function domainView(domain, state) {
  const { domain: host, redirect } = domain
  const isShown = isOpen(domain, state)
  return h(
    'article',
    { id: `domain-${host}`, class: 'domain', 'data-domain': host, 'aria-labelledby': `name-${host}` },
    headView(domain, state),
    redirect && h('p', { class: 'redirect' }, redirectText(redirect)),
    h('p', { class: 'summary' }, ...textView(summaryOf(domain, state), state.now)),
    h(
      'button',
      {
        type: 'button',
        class: 'link',
        'data-action': 'toggle',
        'aria-expanded': String(isShown),
        'aria-controls': `details-${host}`,
      },
      isShown ? 'Hide details' : 'Show details',
      h('span', { class: 'visually-hidden' }, ` for ${domain.displayName}`),
    ),
    h(
      'div',
      { id: `details-${host}`, class: 'details', hidden: !isShown },
      ...(isShown ? detailsOf(domain, state) : []),
    ),
  )
}

/** @param {Domain} domain @param {State} state */
function headView(domain, state) {
  const { domain: host, displayName, isPrimary, state: current } = domain
  const { text, tone } = badgeOf(domain)
  return h(
    'div',
    { class: 'head' },
    h(
      'div',
      { class: 'name' },
      h(
        'h3',
        { id: `name-${host}`, tabindex: -1 },
        ...(current === 'live'
          ? [h('a', { href: `https://${host}/` }, ...nameView(displayName))]
          : nameView(displayName)),
      ),
      displayName !== host && h('code', {}, host),
    ),
    h(
      'p',
      { class: 'badges' },
      h('span', { class: 'badge', 'data-tone': tone }, text),
      isPrimary && h('span', { class: 'badge primary-mark', 'data-tone': 'plain' }, 'Primary'),
    ),
    menuView(domain, state),
  )
}

/** A name that is too long for a line is broken after a dot. @param {string} name */
function nameView(name) {
  return name.split(/(?<=\.)/).flatMap((part, index) => (index === 0 ? [part] : [h('wbr', {}), part]))
}

/** @param {Domain} domain @param {State} state */
function detailsOf(domain, state) {
  const { certificate, hint } = domain
  const partner = partnerOf(domain, state)
  return [
    !isSettled(domain, state.now) && stepsView(domain),
    problemView(domain, state.now),
    hint !== undefined && h('p', { class: 'hint' }, hint),
    recordView(domain, state, domain.domain, partner && `DNS record of ${domain.displayName}`),
    partner && recordView(partner, state, domain.domain, `DNS record of ${partner.displayName}`),
    certificate && certificateView(certificate),
    verifyView(domain, state, partner),
  ]
}

/**
 * The Verify button, unless the domain is fine: then it is in the menu.
 * @param {Domain} domain
 * @param {State} state
 * @param {Domain} [partner]
 */
function verifyView(domain, { now, errors }, partner = domain) {
  const { domain: host, state, problem } = domain
  const isOffered = state !== 'live' || problem !== undefined
  const canVerifyAt = domain.canVerifyAt > partner.canVerifyAt ? domain.canVerifyAt : partner.canVerifyAt
  const isBusy = isWorking(domain) || isWorking(partner)
  const isBarred = isOffered && !isBusy && secondsUntil(canVerifyAt, now) > 0
  const verb = state === 'live' || state === 'failed' ? 'Re-verify' : 'Verify'
  const error = errors.get(host)
  return h(
    'div',
    { class: 'verify' },
    isOffered &&
      h(
        'button',
        {
          type: 'button',
          class: 'primary',
          'data-action': partner === domain ? 'verify' : 'verify-both',
          'aria-disabled': (isBusy || isBarred) && 'true',
          'aria-describedby': `verify-note-${host}`,
        },
        partner === domain ? verb : `${verb} both`,
      ),
    h(
      'span',
      { id: `verify-note-${host}`, class: 'muted' },
      ...(isBarred ? ['Available ', timeView(canVerifyAt, now)] : []),
    ),
    error !== undefined && h('p', { class: 'error' }, error),
  )
}

/** @param {NonNullable<Domain['redirect']>} redirect */
function redirectText({ to, status, isActive }) {
  return isActive ? `Redirects to ${to} (${status})` : `Will redirect to ${to} (${status}) once both domains are live`
}
