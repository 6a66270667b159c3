// The redirects, and the application's roles, here `primary`, in the format of the configuration file:
// { "domains": { "primary": "docs.example.com", "redirects": [{ "from": "old.example.com", "to": "docs.example.com", "status": 301 }] } }
import type { Redirect, RedirectStatus } from './domain.ts'
import type { Snapshot } from './snapshot.ts'
import { isRecordKind } from './storage.ts'

export const redirectStatuses: readonly RedirectStatus[] = [301, 302, 307, 308]

export type Configuration = Pick<Snapshot, 'roles' | 'redirects'>

/** @param where names the text in errors @throws with a line for each error */
export function parseConfiguration(text: string, where: string): Configuration {
  const problems: string[] = []
  const { domains } = asObject(parseJson(text, where))
  const { redirects = [], ...roles } = asObject(domains)
  if (!isObject(domains)) problems.push('must be an object with the key "domains", an object')
  for (const [role, host] of Object.entries(roles))
    if (typeof host !== 'string' || isRecordKind(role)) problems.push(`domains.${role} must be a domain`)
  if (!Array.isArray(redirects)) problems.push('domains.redirects must be a list')

  const entries = Array.isArray(redirects) ? redirects.map(asObject) : []
  const sources = new Set(entries.map(({ from }) => from))
  const parsed = new Map<string, Redirect>()
  for (const [index, { from, to, status = 301 }] of entries.entries()) {
    const location = `domains.redirects[${index}]`
    if (typeof from !== 'string') problems.push(`${location}.from must be a domain`)
    else if (parsed.has(from)) problems.push(`${location}.from ${from} has a redirect already`)
    // This rules out loops and chains.
    if (typeof to !== 'string' || sources.has(to))
      problems.push(`${location}.to must be a domain that does not redirect itself`)
    if (!isRedirectStatus(status)) problems.push(`${location}.status must be one of ${redirectStatuses.join(', ')}`)
    else parsed.set(String(from), { to: String(to), status })
  }
  if (problems.length > 0) throw new Error(problems.map((problem) => `${where}: ${problem}`).join('\n'))
  return { roles: new Map(Object.entries(roles as Record<string, string>)), redirects: parsed }
}

export function formatConfiguration({ roles, redirects }: Configuration): string {
  const entries = Array.from(redirects, ([from, { to, status }]) => ({ from, to, status }))
  return `${JSON.stringify({ domains: { ...Object.fromEntries(roles), redirects: entries } }, null, 2)}\n`
}

export function isRedirectStatus(value: unknown): value is RedirectStatus {
  return redirectStatuses.some((status) => status === value)
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${where} is not JSON: ${(error as Error).message}`, { cause: error })
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
