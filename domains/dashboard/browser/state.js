// The state of the page: the list as last loaded, and what the user opened.

import { PAGE } from './api.js'

/** @import { Domain, Domains } from './api.js' */

/**
 * @typedef {object} State
 * @property {Domains} list
 * @property {string} readAt When the list was loaded.
 * @property {string} trouble Why it could not be reloaded since, or ''.
 * @property {string} notice What the last operation did that the list does not show, or ''.
 * @property {number} now The server's time in milliseconds.
 * @property {string | undefined} copied The id of the button whose value has just been copied.
 * @property {string} filter What the names of the listed domains contain.
 * @property {number} limit How many domains are shown at most.
 * @property {Map<string, number>} ranks The place of each domain in the list; it stays as long as the page is open.
 * @property {Map<string, boolean>} opened The cards that the user opened (true) or closed (false).
 * @property {Map<string, string>} errors The error of the last operation, by domain.
 */

/** @param {Domains} list @param {number} now @returns {State} */
export function createState(list, now) {
  const readAt = new Date(now).toISOString()
  const state = { list, readAt, trouble: '', notice: '', now, copied: undefined, filter: '', limit: PAGE }
  return { ...state, ranks: new Map(), opened: new Map(), errors: new Map() }
}

/** True if an attempt is running. @param {Domain} domain */
export function isWorking({ state }) {
  return state === 'verifying' || state === 'verified' || state === 'issuing'
}

/** True if the user must act before the domain can be live. @param {Domain} domain */
export function isFailed({ state, problem }) {
  return state === 'failed' && !problem?.isPending && (problem?.addressee ?? 'user') === 'user'
}

const hour = 3600_000

/**
 * True if the domain needs no attention: live for more than an hour, without a problem.
 * @param {Domain} domain
 * @param {number} now
 */
export function isSettled({ state, problem, liveSince }, now) {
  return state === 'live' && !problem && now - Date.parse(liveSince ?? '') > hour
}

/** A list of more than these is shown compactly, with a filter. */
const FEW = 5

/** @param {State} state */
export function isLong({ list }) {
  return list.total > FEW
}

/** @param {Domain} domain @param {State} state */
export function isOpen(domain, state) {
  const isQuiet = isLong(state) || isSettled(domain, state.now) || leaderOf(domain, state) !== undefined
  return state.opened.get(domain.domain) ?? !isQuiet
}

/**
 * The loaded domains, those that need attention first. A domain keeps its place when its state changes.
 * @param {State} state
 */
export function shownDomains({ list, ranks }) {
  for (const domain of list.domains) if (!ranks.has(domain.domain)) ranks.set(domain.domain, rankOf(domain))
  return [...list.domains].sort((domain, other) => Number(ranks.get(domain.domain)) - Number(ranks.get(other.domain)))
}

/** @param {Domain} domain */
function rankOf(domain) {
  if (isFailed(domain)) return 0
  if (domain.problem) return 1
  return domain.state === 'live' ? 3 : 2
}

/** A text about the changes between two versions of the list. @param {Domains} before @param {Domains} after */
export function changesBetween(before, after) {
  const former = new Map(before.domains.map((domain) => [domain.domain, domain]))
  const changed = after.domains.filter(({ domain, state, problem }) => {
    const before = former.get(domain)
    return before && (before.state !== state || before.problem?.code !== problem?.code)
  })
  return changed.map(({ displayName, summary }) => `${displayName}: ${summary}`).join(' ')
}

/**
 * The domain whose record is shown, and which is verified, with this one: its counterpart, which is to redirect.
 * @param {Domain} domain
 * @param {State} state
 */
export function partnerOf({ counterpart, state, redirect }, { list }) {
  if (state === 'live' || redirect) return undefined
  return list.domains.find((other) => other.domain === counterpart && other.state !== 'live' && other.redirect)
}

/** The domain whose card shows the record of this one. @param {Domain} domain @param {State} state */
export function leaderOf({ domain, counterpart }, state) {
  const other = state.list.domains.find((listed) => listed.domain === counterpart)
  return other && partnerOf(other, state)?.domain === domain ? other : undefined
}

/** @param {Domain} domain @param {State} state */
export function summaryOf(domain, state) {
  if (domain.state !== 'added') return domain.summary
  const leader = leaderOf(domain, state)
  if (leader) return `Its DNS record is shown with ${leader.displayName}.`
  return partnerOf(domain, state) ? 'Create both DNS records, then choose Verify both.' : domain.summary
}
