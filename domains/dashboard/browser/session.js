// From signing in to signing out: loads the list, renders it, and dispatches the user's actions.
import { createActions } from './actions.js'
import { ApiError } from './api.js'
import { dashboardView } from './dashboard-view.js'
import { closeDialogs } from './dialogs.js'
import { announce, byId, patch } from './dom.js'
import { elementOf } from './markup.js'
import { changesBetween, createState, isWorking } from './state.js'

/** @import { Api, Domains } from './api.js' */

const pauses = { working: 1000, idle: 15_000, typing: 200 } // milliseconds

/**
 * @param {Api} api
 * @param {Domains} list
 * @param {(reason: string) => void} signOut Called when the key is no longer valid.
 * @returns {() => void} Ends the session.
 */
export function openSession(api, list, signOut) {
  const section = byId('domains')
  const state = createState(list, api.now())
  const life = new AbortController()
  const { signal } = life

  function render() {
    if (signal.aborted) return
    state.now = api.now()
    patch(section, elementOf(dashboardView(state)))
  }

  const poll = startPoll(async (reading) => {
    try {
      const { filter: search, limit } = state
      const loaded = await api.listDomains({ search: search.trim(), limit, signal: reading })
      const changes = changesBetween(state.list, loaded)
      if (changes) announce(changes)
      Object.assign(state, { list: loaded, readAt: new Date(api.now()).toISOString(), trouble: '' })
    } catch (error) {
      if (reading.aborted) return 0
      if (!(error instanceof ApiError)) throw error
      if (error.status === 401) signOut('You were signed out: your key is no longer valid.')
      else if (!state.trouble) announce(error.message)
      state.trouble = error.message
    }
    render()
    return state.list.domains.some(isWorking) ? pauses.working : pauses.idle
  })

  const actions = createActions({ api, state, render, refresh: poll.now })

  /** @param {MouseEvent} event */
  function act({ target }) {
    const button = target instanceof Element ? target.closest('[data-action]') : null
    if (!(button instanceof HTMLElement) || button.ariaDisabled === 'true') return
    const host = button.closest('[data-domain]')?.getAttribute('data-domain') ?? ''
    const menu = /** @type {HTMLElement | null} */ (button.closest('[popover]'))
    menu?.hidePopover()
    actions[String(button.dataset.action)]?.(host, button)
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing

  /** @param {Event} event */
  function filter({ target }) {
    if (!(target instanceof HTMLInputElement)) return
    state.filter = target.value
    clearTimeout(typing)
    typing = setTimeout(poll.now, pauses.typing)
  }

  section.addEventListener('click', act, { signal })
  section.addEventListener('input', filter, { signal })
  const clock = setInterval(render, 1000) // counts down the seconds until Verify
  render()
  void poll.now()

  return () => {
    life.abort()
    poll.end()
    clearInterval(clock)
    clearTimeout(typing)
    closeDialogs()
    section.replaceChildren()
  }
}

/**
 * Polls while the page is visible.
 * @param {(signal: AbortSignal) => Promise<number>} read Resolves with the milliseconds until the next read.
 */
function startPoll(read) {
  const life = new AbortController()
  let reading = new AbortController()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** Reads now. A pending read is aborted: it may predate the user's last change. */
  async function now() {
    if (life.signal.aborted) return
    stop()
    reading = new AbortController()
    const { signal } = reading
    const pause = await read(signal)
    if (!signal.aborted && !document.hidden) timer = setTimeout(now, pause)
  }

  function stop() {
    clearTimeout(timer)
    reading.abort()
  }

  document.addEventListener('visibilitychange', () => !document.hidden && now(), { signal: life.signal })
  life.signal.addEventListener('abort', stop)
  return { now, end: () => life.abort() }
}
