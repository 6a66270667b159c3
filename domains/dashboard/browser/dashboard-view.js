// The section "Domains": the platform's own domain, the custom domains, or how to add the first one.
import { MOST } from './api.js'
import { domainView } from './domain-view.js'
import { html } from './markup.js'
import { isLong, shownDomains } from './state.js'
import { timeView } from './time.js'

/** @import { Html } from './markup.js' */
/** @import { State } from './state.js' */

const plans = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' }

/** @param {State} state */
export function dashboardView(state) {
  const { list, trouble, readAt, notice, now } = state
  const { plan, platform, accounts, domains, total, count, unsaved, rewound } = list
  const listed = shownDomains(state)
  return html`
    <section id="domains" aria-labelledby="domains-heading">
      <h2 id="domains-heading" tabindex="-1">Domains</h2>
      <p class="intro">
        The documentation is always served at <strong>${platform.domain}</strong>.
        Custom domains are served in addition. Your plan is <strong>${plans[plan]}</strong>.
      </p>
      ${platform.problem && html`<p class="notice platform">${platformText(platform, platform.problem)}</p>`}
      ${trouble !== '' && troubleView(trouble, timeView(readAt, now))}
      ${notice !== '' && html`<p class="notice">${notice}</p>`}
      ${unsaved !== undefined && unsavedView(unsaved)}
      ${rewound !== undefined && rewoundView(rewound, now)}
      ${plan === 'free' && html`<p class="notice plan" id="plan">Custom domains require the Pro plan or above.</p>`}
      <button type="button" id="add-domain" class="primary"
        data-action="add" ${plan === 'free' && html`aria-disabled="true" aria-describedby="plan"`}>Add domain</button>
      ${isLong(state) && filterView(count, total)}
      <div class="list" ${isLong(state) && 'data-compact'}>${listed.map((domain) => domainView(domain, state))}</div>
      ${domains.length < count && moreView(domains.length, count)}
      ${total === 0 && emptyView}
      ${accounts.length > 0 && domains.some(({ problem }) => problem?.about === 'caa') && accountsView(accounts)}
    </section>`
}

/** @param {State['list']['platform']} platform @param {{ message: string }} problem */
function platformText({ domain, certificate }, { message }) {
  return `${domain} has ${certificate ? 'a problem' : 'no certificate yet'}: ${message}`
}

/** @param {string} trouble @param {Html} readAt */
function troubleView(trouble, readAt) {
  return html`
    <p class="notice trouble">
      ${trouble} This is the list as of ${readAt}. The page keeps trying to reload it.
    </p>`
}

/** @param {string} reason */
function unsavedView(reason) {
  return html`<p class="notice trouble unsaved">Changes cannot be saved at the moment: ${reason}.</p>`
}

/** How many domains a notice names. */
const NAMED = 5

/** @param {NonNullable<State['list']['rewound']>} rewound @param {number} now Milliseconds. */
function rewoundView({ at, domains }, now) {
  const more = domains.length > NAMED ? ` and ${domains.length - NAMED} more` : ''
  return html`
    <p class="notice trouble rewound">
      The storage lost its latest changes ${timeView(at, now)}: it was restored, or failed over.
      ${domains.length > 0 && `As they were before: ${domains.slice(0, NAMED).join(', ')}${more}. Repeat what is missing.`}
    </p>`
}

/** @param {State['list']['accounts']} accounts */
function accountsView(accounts) {
  return html`
    <div class="accounts muted">
      <p>CAA records with the parameter accounturi must name the account that orders the certificates:</p>
      <ul>${accounts.map(({ url }) => html`<li><code>${url}</code></li>`)}</ul>
    </div>`
}

/** @param {number} listed @param {number} count */
function moreView(listed, count) {
  return html`
    <div class="more">
      ${listed < MOST && html`<button type="button" id="show-more" data-action="more">Show more</button>`}
      <p class="muted">${listed} of ${count} domains are shown. Filter the list to find one.</p>
    </div>`
}

/** @param {number} listed @param {number} all */
function filterView(listed, all) {
  return html`
    <div class="filter">
      <label for="filter" class="visually-hidden">Filter domains</label>
      <input id="filter" type="search" placeholder="Filter domains" autocomplete="off" spellcheck="false"
        aria-describedby="filter-count">
      <p id="filter-count" class="muted" role="status">${listed === all ? all : `${listed} of ${all}`} domains</p>
    </div>`
}

const emptyView = html`
  <div class="empty">
    <h3>No custom domains yet</h3>
    <ol>
      <li>Choose “Add domain” and enter your domain or subdomain.</li>
      <li>Create the DNS record that the page then shows, at your DNS provider.</li>
      <li>Choose “Verify”. The certificate is issued automatically, and the domain goes live.</li>
    </ol>
  </div>`
