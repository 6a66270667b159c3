// A snapshot as records: what has changed in it, and what changes in it.
import { problems } from '../problems/index.ts'
import { isRedirectStatus } from './configuration.ts'
import type { Domain, Redirect } from './domain.ts'
import { type Draft, draftOf, emptySnapshot, type Snapshot } from './snapshot.ts'
import type { RecordChange, RecordKind, StoredRecord } from './storage.ts'

/** Where a snapshot has the records of each kind, by name. */
const tables = {
  domain: 'domains',
  redirect: 'redirects',
  message: 'outbox',
  order: 'orders',
  challenge: 'challenges',
  backoff: 'backoffs',
  account: 'accounts',
  revoked: 'revoked',
} as const satisfies Record<Exclude<RecordKind, 'primary'>, keyof Draft>

const tableEntries = Object.entries(tables) as [keyof typeof tables, (typeof tables)[keyof typeof tables]][]

/** A record that cannot be used. */
export interface Damage {
  kind: RecordKind
  name: string
  reason: string
}

/** The changes that make one snapshot of the other. Unchanged values are the same objects. */
export function changesBetween(before: Snapshot, after: Snapshot): RecordChange[] {
  const changes: RecordChange[] = []
  if (before.primary !== after.primary) changes.push({ kind: 'primary', name: '', value: after.primary })
  for (const [kind, table] of tableEntries) {
    const former: ReadonlyMap<string, unknown> = before[table]
    const next: ReadonlyMap<string, unknown> = after[table]
    for (const [name, value] of next) if (former.get(name) !== value) changes.push({ kind, name, value })
    for (const name of former.keys()) if (!next.has(name)) changes.push({ kind, name, value: undefined })
  }
  return changes
}

/** The hosts whose domain, redirect or certificate is another one. */
export function hostsThatDiffer(before: Snapshot, after: Snapshot): string[] {
  const facts = ({ domains, redirects, primary }: Snapshot, host: string) => {
    const { addedAt, certificate } = domains.get(host) ?? {}
    return JSON.stringify([addedAt, certificate?.notBefore, redirects.get(host), host === primary])
  }
  const hosts = new Set([...before.domains.keys(), ...after.domains.keys()])
  return [...hosts].filter((host) => facts(before, host) !== facts(after, host))
}

export function withRecords(snapshot: Snapshot, records: readonly RecordChange[]): Snapshot {
  const draft = draftOf(snapshot)
  for (const { kind, name, value } of records) {
    if (kind === 'primary') draft.primary = value as string | undefined
    else if (value === undefined) draft[tables[kind]].delete(name)
    else (draft[tables[kind]] as Map<string, unknown>).set(name, value)
  }
  return draft
}

/** A storage returns records in any order. */
export function snapshotOf(records: readonly RecordChange[]): Snapshot {
  const snapshot = withRecords(emptySnapshot, records)
  return {
    ...snapshot,
    domains: sorted(snapshot.domains, ({ isPlatform, addedAt, name }) => `${isPlatform ? '' : addedAt} ${name.host}`),
    outbox: sorted(snapshot.outbox, ({ event }) => event.timestamp),
  }
}

function sorted<Value>(map: ReadonlyMap<string, Value>, key: (value: Value) => string): ReadonlyMap<string, Value> {
  const keyOf = (entry: [string, Value]) => key(entry[1])
  return new Map([...map].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b)))))
}

const states: readonly unknown[] = [
  'added',
  'verifying',
  'verified',
  'issuing',
  'live',
  'failed',
] satisfies Domain['state'][]

/** Why a record cannot be used. */
export function faultOf({ kind, name, value, fault }: StoredRecord): string | undefined {
  if (fault !== undefined || value === undefined) return fault
  if (kind === 'domain') return domainFault(name, value as Partial<Domain> | null)
  if (kind === 'redirect') return redirectFault(value as Partial<Redirect> | null)
  const type = kind === 'message' || kind === 'order' || kind === 'backoff' ? 'object' : 'string'
  return typeof value === type && value !== null ? undefined : `it must be of type ${type}`
}

function redirectFault(redirect: Partial<Redirect> | null): string | undefined {
  const { to, status } = redirect ?? {}
  return typeof to === 'string' && isRedirectStatus(status) ? undefined : 'it has no target, or no status of a redirect'
}

function domainFault(host: string, domain: Partial<Domain> | null): string | undefined {
  const { name, state, problem, attempts, addedAt } = domain ?? {}
  if (name?.host !== host) return `name.host is not ${host}`
  if (!states.includes(state)) return `state must be one of ${states.join(', ')}`
  if (problem && !Object.hasOwn(problems, problem.code)) return `problem.code is unknown: ${problem.code}`
  if (typeof attempts !== 'number') return 'attempts must be a number'
  return Number.isNaN(Date.parse(String(addedAt))) ? 'addedAt must be a time' : undefined
}
