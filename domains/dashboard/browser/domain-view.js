// The card of a domain: its name and state and, when open, its details.
import { html } from './markup.js'
import { menuView } from './menu.js'
import { certificateView, problemView, recordView, stepsView } from './parts-view.js'
import { isOpen, isSettled, isWorking, partnerOf, summaryOf } from './state.js'
import { secondsUntil, textView, timeView } from './time.js'

/** @import { Domain } from './api.js' */
/** @import { State } from './state.js' */

/** @type {Record<Domain['state'], { text: string, tone: string }>} */
const badges = {
  added: { text: 'Not verified', tone: 'plain' },
  verifying: { text: 'Verifying', tone: 'busy' },
  verified: { text: 'Verified', tone: 'busy' },
  issuing: { text: 'Issuing certificate', tone: 'busy' },
  live: { text: 'Live', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
}

/** The badges of a failed domain, by who can act. */
const waiting = {
  operator: { text: 'Waiting for the operator', tone: 'warn' },
  authority: { text: 'Waiting for a certificate', tone: 'busy' },
  user: badges.failed,
}

/** @param {Domain} domain */
function badgeOf({ state, problem }) {
  if (state === 'live' && problem) return { text: 'Live, with a problem', tone: 'warn' }
  if (state !== 'failed' || !problem) return badges[state]
  return problem.isPending ? { text: 'Waiting for DNS', tone: 'busy' } : waiting[problem.addressee]
}

/** @param {Domain} domain @param {State} state */
export function domainView(domain, state) {
  const { domain: host, displayName, redirect } = domain
  const isShown = isOpen(domain, state)
  return html`
    <article id="domain-${host}" class="domain" data-domain="${host}" aria-labelledby="name-${host}">
      ${headView(domain, state)}
      ${redirect && html`<p class="redirect">${redirectText(redirect)}</p>`}
      <p class="summary">${textView(summaryOf(domain, state), state.now)}</p>
      <button type="button" class="link" data-action="toggle" aria-expanded="${String(isShown)}"
        aria-controls="details-${host}">
        ${isShown ? 'Hide details' : 'Show details'}<span class="visually-hidden"> for ${displayName}</span>
      </button>
      <div id="details-${host}" class="details" ${!isShown && 'hidden'}>${isShown && detailsView(domain, state)}</div>
    </article>`
}

/** @param {Domain} domain @param {State} state */
function headView(domain, state) {
  const { domain: host, displayName, isPrimary } = domain
  const { text, tone } = badgeOf(domain)
  const name = nameView(displayName)
  return html`
    <div class="head">
      <div class="name">
        <h3 id="name-${host}" tabindex="-1">
          ${domain.state === 'live' ? html`<a href="https://${host}/">${name}</a>` : name}
        </h3>
        ${displayName !== host && html`<code>${host}</code>`}
      </div>
      <p class="badges">
        <span class="badge" data-tone="${tone}">${text}</span>
        ${isPrimary && html`<span class="badge primary-mark" data-tone="plain">Primary</span>`}
      </p>
      ${menuView(domain, state)}
    </div>`
}

/** A name that is too long for a line is broken after a dot. @param {string} name */
function nameView(name) {
  return name.split(/(?<=\.)/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)
}

/** @param {Domain} domain @param {State} state */
function detailsView(domain, state) {
  const { displayName, certificate, hint } = domain
  const partner = partnerOf(domain, state)
  return html`
    ${!isSettled(domain, state.now) && stepsView(domain)}
    ${problemView(domain, state.now)}
    ${hint !== undefined && html`<p class="hint">${hint}</p>`}
    ${recordView(domain, state, domain.domain, partner && `DNS record of ${displayName}`)}
    ${partner && recordView(partner, state, domain.domain, `DNS record of ${partner.displayName}`)}
    ${certificate && certificateView(certificate)}
    ${verifyView(domain, state, partner)}`
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
  const [action, text] = partner === domain ? ['verify', verb] : ['verify-both', `${verb} both`]
  const hosts = new Set([domain.displayName, partner.displayName])
  const button = html`
    <button type="button" class="primary" aria-describedby="verify-note-${host}"
      data-action="${action}" ${(isBusy || isBarred) && html`aria-disabled="true"`}>
      ${text}<span class="visually-hidden"> ${[...hosts].join(' and ')}</span>
    </button>`
  const error = errors.get(host)
  return html`
    <div class="verify">
      ${isOffered && button}
      <span id="verify-note-${host}" class="muted">${isBarred && html`Available ${timeView(canVerifyAt, now)}`}</span>
      ${error !== undefined && html`<p class="error">${error}</p>`}
    </div>`
}

/** @param {NonNullable<Domain['redirect']>} redirect */
function redirectText({ to, status, isActive }) {
  return isActive ? `Redirects to ${to} (${status})` : `Will redirect to ${to} (${status}) once both domains are live`
}
