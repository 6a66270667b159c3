// An apex and its www name that are on their way to live together: one card shows the records of both.

/** @typedef {import('./state.js').Domain} Domain */
/** @typedef {import('./state.js').State} State */

/** The domain whose record is shown, and which is verified, with this one: its counterpart, which is to redirect. @param {Domain} domain @param {State} state */
export function partnerOf({ counterpart, state, redirect }, { list }) {
  if (state === 'live' || redirect) return undefined
  return list.domains.find((one) => one.domain === counterpart && one.state !== 'live' && one.redirect)
}

/** The domain whose card shows the record of this one. @param {Domain} domain @param {State} state */
export function leaderOf({ domain, counterpart }, state) {
  const other = state.list.domains.find((one) => one.domain === counterpart)
  return other && partnerOf(other, state)?.domain === domain ? other : undefined
}

/** @param {Domain} domain @param {State} state */
export function summaryOf(domain, state) {
  if (domain.state !== 'added') return domain.summary
  const leader = leaderOf(domain, state)
  if (leader) return `Its DNS record is shown with ${leader.displayName}.`
  return partnerOf(domain, state) ? 'Create both DNS records, then choose Verify both.' : domain.summary
}
