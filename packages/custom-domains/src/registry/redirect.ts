// Sets a redirect in one hop: it leads to where its target leads, and what led to its source leads to its target.
import type { Redirect } from '../state/domain.ts'
import type { Draft } from '../state/snapshot.ts'

/** @returns false if the target redirects to the host: then nothing has changed */
export function redirect(
  { redirects }: Pick<Draft, 'redirects'>,
  host: string,
  { to: named, status }: Redirect,
): boolean {
  const to = redirects.get(named)?.to ?? named
  if (named === host || to === host) return false
  redirects.set(host, { to, status })
  for (const [from, other] of redirects) if (other.to === host) redirects.set(from, { ...other, to })
  return true
}
