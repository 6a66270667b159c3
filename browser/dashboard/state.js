// The state of the page: the list as last loaded, and what the user opened.

/** @typedef {import('./api.js').Domain} Domain */
/** @typedef {import('./api.js').Domains} Domains */

/**
 * @typedef {object} State
 * @property {Domains} list
 * @property {string} readAt When the list was loaded.
 * @property {string} trouble Why it could not be reloaded since, or ''.
 * @property {number} now The server's time in milliseconds.
 * @property {string | undefined} menu The domain whose menu is open.
 * @property {string | undefined} copied The id of the button whose value has just been copied.
 * @property {Map<string, boolean>} opened The cards that the user opened (true) or closed (false).
 * @property {Map<string, string>} errors The error of the last operation, by domain.
 */

/** @param {Domains} list @param {number} now @returns {State} */
export function createState(list, now) {
  const readAt = new Date(now).toISOString()
  return { list, readAt, trouble: '', now, menu: undefined, copied: undefined, opened: new Map(), errors: new Map() }
}

/** True if an attempt is running. @param {Domain} domain */
export function isWorking({ state }) {
  return state === 'verifying' || state === 'verified' || state === 'issuing'
}

const hour = 3600_000

/** True if the domain needs no attention: live for more than an hour, without a problem. @param {Domain} domain @param {number} now */
export function isSettled({ state, problem, liveSince }, now) {
  return state === 'live' && !problem && now - Date.parse(liveSince ?? '') > hour
}

/** @param {Domain} domain @param {State} state */
export function isOpen(domain, { opened, now }) {
  return opened.get(domain.domain) ?? !isSettled(domain, now)
}

/** A text about the changes between two versions of the list. @param {Domains} before @param {Domains} after */
export function changesBetween(before, after) {
  const former = new Map(before.domains.map((domain) => [domain.domain, domain]))
  const changed = after.domains.filter(({ domain, state, problem }) => {
    const known = former.get(domain)
    return known && (known.state !== state || known.problem?.code !== problem?.code)
  })
  return changed.map(({ displayName, summary }) => `${displayName}: ${summary}`).join(' ')
}
