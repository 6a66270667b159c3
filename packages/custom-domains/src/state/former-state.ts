// The state as it was stored before there were records: all of it in one text. It moves over at the start, once.
import { parseConfiguration } from './configuration.ts'
import type { Backoff, Domain, PlacedOrder } from './domain.ts'
import type { Message } from './message.ts'
import type { RecordChange, RecordKind } from './storage.ts'

/** The stored state cannot be used: only an operator can repair or delete it. */
export class BrokenStateError extends Error {}

export interface FormerState {
  domains: Domain[]
  challenges?: Record<string, string>
  backoffs?: Record<string, Backoff>
  accounts?: Record<string, string>
  revoked?: Record<string, string>
  orders?: PlacedOrder[]
  outbox?: Message[]
  /** The configuration that belongs to this state, as text, unless it is saved elsewhere. */
  configuration?: string
}

/** @param where names the text in errors @throws BrokenStateError */
export function parseFormerState(text: string, where: string): FormerState {
  try {
    const state: Partial<FormerState> | null = JSON.parse(text)
    if (!Array.isArray(state?.domains)) throw new Error('it has no array of domains')
    const nameless = state.domains.findIndex((domain) => typeof domain?.name?.host !== 'string')
    if (nameless >= 0) throw new Error(`domains[${nameless}] has no name.host`)
    if (state.configuration !== undefined) parseConfiguration(String(state.configuration), 'configuration')
    return state as FormerState
  } catch (error) {
    throw new BrokenStateError(`${where} cannot be used: ${(error as Error).message}`)
  }
}

export function recordsOf(state: FormerState): RecordChange[] {
  const { domains, orders = [], outbox = [], configuration = '{"domains":{}}' } = state
  const { primary, redirects } = parseConfiguration(configuration, 'configuration')
  const from = (kind: RecordKind, entries: Iterable<readonly [string, unknown]>) =>
    Array.from(entries, ([name, value]): RecordChange => ({ kind, name, value }))
  return [
    ...from(
      'domain',
      domains.map((domain) => [domain.name.host, domain] as const),
    ),
    ...(primary === undefined ? [] : from('primary', [['', primary]])),
    ...from('redirect', redirects),
    ...from(
      'message',
      outbox.map((message) => [message.id, message] as const),
    ),
    ...from(
      'order',
      orders.map((order, index) => [`${order.at} ${index}`, order] as const),
    ),
    ...from('challenge', Object.entries(state.challenges ?? {})),
    ...from('backoff', Object.entries(state.backoffs ?? {})),
    ...from('account', Object.entries(state.accounts ?? {})),
    ...from('revoked', Object.entries(state.revoked ?? {})),
  ]
}
