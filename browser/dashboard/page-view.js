// The section "Domains": the platform's own domain, the custom domains, or how to add the first one.
import { h } from './dom.js'
import { domainView } from './domain-view.js'
import { timeView } from './time.js'

/** @typedef {import('./state.js').State} State */

const plans = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' }

/** @param {State} state */
export function pageView(state) {
  const { list, trouble, readAt } = state
  const { plan, platform, domains } = list
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
    trouble !== '' &&
      h(
        'p',
        { class: 'notice trouble' },
        `${trouble} This is the list as of `,
        timeView(readAt),
        '. The page keeps trying to reload it.',
      ),
    plan === 'free' && h('p', { class: 'notice plan' }, 'Custom domains require the Pro plan or above.'),
    h('button', { type: 'button', id: 'add-domain', class: 'primary', 'data-action': 'add' }, 'Add domain'),
    h('div', { class: 'list' }, ...domains.map((domain) => domainView(domain, state))),
    domains.length === 0 && emptyView(),
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
