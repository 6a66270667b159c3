// Parses the stored state. An error is reported with its place, and nothing is overwritten.
import { parseConfiguration } from './configuration.ts'
import type { Domain } from './domain.ts'
import type { StoredState } from './snapshot.ts'

/** The stored state cannot be used: only an operator can repair or delete it. */
export class BrokenStateError extends Error {}

const states: readonly unknown[] = [
  'added',
  'verifying',
  'verified',
  'issuing',
  'live',
  'failed',
] satisfies Domain['state'][]

/** @param where names the text in errors @throws BrokenStateError */
export function parseState(text: string, where: string): StoredState {
  try {
    const state: unknown = JSON.parse(text)
    checkState(state)
    return state
  } catch (error) {
    throw brokenState(where, (error as Error).message)
  }
}

export function brokenState(where: string, reason: string): BrokenStateError {
  return new BrokenStateError(`${where} cannot be used: ${reason}`)
}

function checkState(state: unknown): asserts state is StoredState {
  const { domains, configuration, outbox = [] } = (state ?? {}) as { [Key in keyof StoredState]?: unknown }
  if (!Array.isArray(domains)) throw new Error('it has no array of domains')
  if (!Array.isArray(outbox)) throw new Error('outbox must be an array')
  if (configuration !== undefined) parseConfiguration(String(configuration), 'configuration')
  domains.forEach(checkDomain)
}

function checkDomain(domain: Partial<Domain> | null, index: number): void {
  const place = `domains[${index}]`
  const { name, state, attempts } = domain ?? {}
  if (typeof name?.host !== 'string') throw new Error(`${place} has no name.host`)
  if (!states.includes(state)) throw new Error(`${place}.state must be one of ${states.join(', ')}`)
  if (typeof attempts !== 'number') throw new Error(`${place}.attempts must be a number`)
}
