// The menu of a domain: buttons in a popover, which the browser opens, places and closes.
import { html } from './markup.js'
import { secondsUntil } from './time.js'

/** @import { Domain } from './api.js' */
/** @import { State } from './state.js' */

/** @param {Domain} domain @param {State} state */
export function menuView(domain, { list, now }) {
  const { domain: host, displayName, isPrimary, redirect, state, canVerifyAt, certificate } = domain
  const isTooSoon = secondsUntil(canVerifyAt, now) > 0

  /** @param {string} action @param {string} text */
  const item = (action, text, isDisabled = false) => html`
    <button type="button" id="${action}-${host}" data-action="${action}" ${isDisabled && html`aria-disabled="true"`}>
      ${text}
    </button>`

  return html`
    <div class="menu">
      <button type="button" id="menu-${host}" class="quiet" popovertarget="actions-${host}"
        aria-label="Actions for ${displayName}">⋯</button>
      <div id="actions-${host}" popover>
        ${!isPrimary && item('make-primary', 'Make primary')}
        ${!isPrimary && list.primary !== undefined && item('redirect', redirect ? 'Change redirect…' : 'Redirect to primary…')}
        ${(state === 'live' || state === 'failed') && item('verify', 'Re-verify', isTooSoon)}
        ${certificate && item('reissue', 'Order a new certificate', isTooSoon)}
        ${item('remove', 'Remove…')}
      </div>
    </div>`
}
