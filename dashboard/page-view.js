// The section "Domains": where the documentation is served anyway, the own domains, or how to come by the first one.
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
      '. Own domains stand beside it. Your plan is ',
      h('strong', {}, plans[plan]),
      '.',
    ),
    trouble !== '' &&
      h(
        'p',
        { class: 'notice trouble' },
        `${trouble} This is the list as of `,
        timeView(readAt),
        '. The page keeps trying.',
      ),
    plan === 'free' && h('p', { class: 'notice plan' }, 'Own domains need the plan Pro or above.'),
    h('button', { type: 'button', id: 'add-domain', class: 'primary', 'data-action': 'add' }, 'Add domain'),
    h('div', { class: 'list' }, ...domains.map((domain) => domainView(domain, state))),
    domains.length === 0 && emptyView(),
  )
}

function emptyView() {
  const steps = [
    'Choose “Add domain” and enter a domain or a subdomain of yours.',
    'At the provider of your domain, make the DNS record that the page then shows.',
    'Choose “Verify”. The certificate comes by itself, and the domain is live.',
  ]
  return h(
    'div',
    { class: 'empty' },
    h('h3', {}, 'No own domain yet'),
    h('ol', {}, ...steps.map((step) => h('li', {}, step))),
  )
}
