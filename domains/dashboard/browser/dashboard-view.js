// The section "Domains": the platform's own domain, the custom domains, or how to add the first one.
import { h } from './dom.js'
import { domainView } from './domain-view.js'
import { isLong, shownDomains } from './state.js'
import { timeView } from './time.js'

/** @typedef {import('./state.js').State} State */

const plans = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' }

/** @param {State} state */
export function dashboardView(state) {
  const { list, trouble, readAt, notice } = state
  const { plan, platform, accounts, domains } = list
  const shown = shownDomains(state)
  return h(
    'section',
    { id: 'domains', 'aria-labelledby': 'domains-heading' },
    h('h2', { id: 'domains-heading', tabindex: -1 }, 'Domains'),
    h(
      'p',
      { class: 'intro' },
      'The documentation is always served at ',
      h('strong', {}, platform.domain),
      '. Custom domains are served in addition. Your plan is ',
      h('strong', {}, plans[plan]),
      '.',
    ),
    platform.problem && h('p', { class: 'notice platform' }, platformText(platform, platform.problem)),
    trouble !== '' &&
      h(
        'p',
        { class: 'notice trouble' },
        `${trouble} This is the list as of `,
        timeView(readAt, state.now),
        '. The page keeps trying to reload it.',
      ),
    notice !== '' && h('p', { class: 'notice' }, notice),
    list.unsaved !== undefined &&
      h('p', { class: 'notice trouble unsaved' }, `Changes cannot be saved at the moment: ${list.unsaved}.`),
    plan === 'free' && h('p', { class: 'notice plan' }, 'Custom domains require the Pro plan or above.'),
    h('button', { type: 'button', id: 'add-domain', class: 'primary', 'data-action': 'add' }, 'Add domain'),
    isLong(state) && filterView(shown.length, domains.length),
    h('div', { class: 'list', 'data-compact': isLong(state) }, ...shown.map((domain) => domainView(domain, state))),
    domains.length === 0 && emptyView(),
    accounts.length > 0 && accountsView(accounts),
  )
}

/** @param {State['list']['platform']} platform @param {{ message: string }} problem */
function platformText({ domain, certificate }, { message }) {
  return `${domain} has ${certificate ? 'a problem' : 'no certificate yet'}: ${message}`
}

/** @param {State['list']['accounts']} accounts */
function accountsView(accounts) {
  return h(
    'div',
    { class: 'accounts muted' },
    h('p', {}, 'CAA records with the parameter accounturi must name the account that orders the certificates:'),
    h('ul', {}, ...accounts.map(({ url }) => h('li', {}, h('code', {}, url)))),
  )
}

/** @param {number} shown @param {number} all */
function filterView(shown, all) {
  const count = shown === all ? `${all} domains` : `${shown} of ${all} domains`
  return h(
    'div',
    { class: 'filter' },
    h('label', { for: 'filter', class: 'visually-hidden' }, 'Filter domains'),
    h('input', {
      id: 'filter',
      type: 'search',
      placeholder: 'Filter domains',
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-describedby': 'filter-count',
    }),
    h('p', { id: 'filter-count', class: 'muted', role: 'status' }, count),
  )
}

function emptyView() {
  const steps = [
    'Choose “Add domain” and enter your domain or subdomain.',
    'Create the DNS record that the page then shows, at your DNS provider.',
    'Choose “Verify”. The certificate is issued automatically, and the domain goes live.',
  ]
  return h(
    'div',
    { class: 'empty' },
    h('h3', {}, 'No custom domains yet'),
    h('ol', {}, ...steps.map((step) => h('li', {}, step))),
  )
}
