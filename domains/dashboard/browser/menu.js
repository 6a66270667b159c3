// The menu of a domain: buttons in a popover, which the browser opens, places and closes.
import { h } from './dom.js'
import { secondsUntil } from './time.js'

/** @typedef {import('./state.js').Domain} Domain */
/** @typedef {import('./state.js').State} State */

/** @param {Domain} domain @param {State} state */
export function menuView(domain, state) {
  const { domain: host, displayName } = domain
  const target = `actions-${host}`
  const label = `Actions for ${displayName}`
  return h(
    'div',
    { class: 'menu' },
    h(
      'button',
      { type: 'button', id: `menu-${host}`, class: 'quiet', popovertarget: target, 'aria-label': label },
      '⋯',
    ),
    h(
      'div',
      { id: target, popover: true },
      ...itemsOf(domain, state).map(({ action, text, isDisabled }) =>
        h(
          'button',
          { type: 'button', id: `${action}-${host}`, 'data-action': action, 'aria-disabled': isDisabled && 'true' },
          text,
        ),
      ),
    ),
  )
}

/** @param {Domain} domain @param {State} state */
function itemsOf({ isPrimary, redirect, state: current, canVerifyAt, certificate }, { list, now }) {
  const isTooSoon = secondsUntil(canVerifyAt, now) > 0
  const all = [
    { action: 'make-primary', text: 'Make primary', isOffered: !isPrimary },
    { action: 'redirect', text: 'Redirect to primary…', isOffered: !isPrimary && list.primary !== undefined },
    { action: 'stop-redirecting', text: 'Stop redirecting', isOffered: redirect !== undefined },
    {
      action: 'verify',
      text: 'Re-verify',
      isOffered: current === 'live' || current === 'failed',
      isDisabled: isTooSoon,
    },
    {
      action: 'reissue',
      text: 'Order a new certificate',
      isOffered: certificate !== undefined,
      isDisabled: isTooSoon,
    },
    { action: 'remove', text: 'Remove…', isOffered: true },
  ]
  return all.filter(({ isOffered }) => isOffered)
}
