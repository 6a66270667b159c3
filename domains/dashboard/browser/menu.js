// The menu of a domain, following the ARIA Authoring Practices: arrow keys, Home, End, Escape, Tab.
import { h } from './dom.js'
import { secondsUntil } from './time.js'

/** @typedef {import('./state.js').Domain} Domain */
/** @typedef {import('./state.js').State} State */

/** @param {Domain} domain @param {State} state */
export function menuView(domain, state) {
  const { domain: host, displayName } = domain
  const isOpen = state.menu === host
  return h(
    'div',
    { class: 'menu' },
    h(
      'button',
      {
        type: 'button',
        id: `menu-${host}`,
        class: 'quiet icon',
        'data-action': 'menu',
        'aria-haspopup': 'menu',
        'aria-expanded': String(isOpen),
        'aria-label': `Actions for ${displayName}`,
      },
      '⋯',
    ),
    isOpen &&
      h(
        'div',
        { class: 'items', role: 'menu', 'aria-labelledby': `menu-${host}` },
        ...itemsOf(domain, state).map(({ action, text, isDisabled }) =>
          h(
            'button',
            {
              type: 'button',
              id: `${action}-${host}`,
              role: 'menuitem',
              tabindex: -1,
              'data-action': action,
              'aria-disabled': isDisabled && 'true',
            },
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

/**
 * Makes the menus within `section` work by keyboard, and closes them on a press elsewhere.
 * @param {HTMLElement} section
 * @param {(host: string | undefined) => void} show Opens the menu of a domain, or none.
 * @param {AbortSignal} signal
 */
export function listenToMenus(section, show, signal) {
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const { key, target } = event
    const menu = target instanceof HTMLElement && target.closest('.menu')
    if (!menu) return
    const button = /** @type {HTMLElement} */ (menu.querySelector('[aria-haspopup]'))
    const items = itemsIn(menu)
    const index = items.indexOf(target)
    /** The item that a key moves to; negative counts from the end. @type {Record<string, number>} */
    const moves =
      target === button
        ? { ArrowDown: 0, ArrowUp: -1 }
        : { ArrowDown: (index + 1) % items.length, ArrowUp: index - 1, Home: 0, End: -1 }
    const move = moves[key]
    if (move !== undefined) {
      event.preventDefault()
      show(button.id.replace('menu-', ''))
      focusItem(menu, move)
    } else if (key === 'Escape' || key === 'Tab') {
      button.focus() // Tab continues from there
      show(undefined)
    }
  }

  /** @param {PointerEvent} event */
  function onPress({ target }) {
    if (!(target instanceof Element) || !target.closest('.menu')) show(undefined)
  }

  section.addEventListener('keydown', onKey, { signal })
  document.addEventListener('pointerdown', onPress, { signal })
}

/** @param {Element} menu @param {number} index Negative counts from the end. */
export function focusItem(menu, index) {
  itemsIn(menu).at(index)?.focus()
}

/** @param {Element} menu */
function itemsIn(menu) {
  return /** @type {HTMLElement[]} */ ([...menu.querySelectorAll('[role=menuitem]')])
}
