// A snapshot as records: what has changed in it, and what changes in it.
import { problems } from '../problems/index.ts'
import { isRedirectStatus } from './configuration.ts'
import type { AuthorityFailure, Domain, Problem, Redirect } from './domain.ts'
import { keysThatDiffer } from './layered-map.ts'
import { type Draft, draftOf, emptySnapshot, type Snapshot } from './snapshot.ts'
import { isRecordKind, isRole, type RecordChange, type RecordKind, type StoredRecord } from './storage.ts'

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
} as const satisfies Record<RecordKind, keyof Draft>

const tableEntries = Object.entries(tables)

/** A record that cannot be used. */
export interface Damage {
  kind: string
  name: string
  reason: string
}

/** The changes that make one snapshot of the other. Unchanged values are the same objects. */
export function changesBetween(before: Snapshot, after: Snapshot): RecordChange[] {
  const compare = (table: keyof Draft, idOf: (key: string) => Pick<RecordChange, 'kind' | 'name'>) =>
    keysThatDiffer<unknown>(before[table], after[table]).map((key) => ({ ...idOf(key), value: after[table].get(key) }))
  return [
    ...tableEntries.flatMap(([kind, table]) => compare(table, (name) => ({ kind, name }))),
    ...compare('roles', (kind) => ({ kind, name: '' })),
  ]
}

/** The hosts whose domain, redirect, certificate or roles differ. */
export function hostsThatDiffer(before: Snapshot, after: Snapshot): string[] {
  const facts = ({ domains, redirects, roles }: Snapshot, host: string) => {
    const { addedAt, certificate } = domains.get(host) ?? {}
    const rolesOfHost = [...roles].filter(([, holder]) => holder === host)
    return JSON.stringify([addedAt, certificate?.notBefore, redirects.get(host), rolesOfHost])
  }
  const hosts = new Set([...before.domains.keys(), ...after.domains.keys()])
  return [...hosts].filter((host) => facts(before, host) !== facts(after, host))
}

export function withRecords(snapshot: Snapshot, records: readonly RecordChange[]): Snapshot {
  const draft = draftOf(snapshot)
  for (const record of records) {
    const { kind, name, value } = record
    if (!isRecordKind(kind) && !isRole(record)) continue // of a later release
    const [map, key]: [Map<string, unknown>, string] = isRecordKind(kind)
      ? [draft[tables[kind]], name]
      : [draft.roles, kind]
    if (value === undefined) map.delete(key)
    else map.set(key, value)
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
export function faultOf(record: StoredRecord): string | undefined {
  const { kind, name, value, fault } = record
  if (fault !== undefined || value === undefined || !(isRecordKind(kind) || isRole(record))) return fault
  if (kind === 'domain') return domainFault(name, value as Partial<Domain> | null)
  if (kind === 'redirect') return redirectFault(value as Partial<Redirect> | null)
  const type = kind === 'message' || kind === 'order' || kind === 'backoff' ? 'object' : 'string'
  return typeof value === type && value !== null ? undefined : `it must be of type ${type}`
}

function redirectFault(redirect: Partial<Redirect> | null): string | undefined {
  const { to, status } = redirect ?? {}
  return typeof to === 'string' && isRedirectStatus(status) ? undefined : 'it has no target, or no status of a redirect'
}

const isKnown = (problem: Partial<Problem> | undefined) => Object.hasOwn(problems, String(problem?.code))
const isFailure = (each: Partial<AuthorityFailure> | null) =>
  URL.canParse(String(each?.authority)) && isKnown(each?.problem)

function domainFault(host: string, domain: Partial<Domain> | null): string | undefined {
  const { name, state, problem, failures, attempts, addedAt } = domain ?? {}
  if (name?.host !== host) return `name.host is not ${host}`
  if (!states.includes(state)) return `state must be one of ${states.join(', ')}`
  if (problem && !isKnown(problem)) return `problem.code is unknown: ${problem.code}`
  if (failures && !(Array.isArray(failures) && failures.every(isFailure)))
    return 'failures must be a list of known problems, each with its authority'
  if (typeof attempts !== 'number') return 'attempts must be a number'
  return Number.isNaN(Date.parse(String(addedAt))) ? 'addedAt must be a time' : undefined
}
