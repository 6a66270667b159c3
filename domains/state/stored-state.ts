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
  const state = parseJson(text, where)
  const error = stateError(state)
  if (error !== undefined) throw brokenState(where, error)
  return state as StoredState
}

export function brokenState(where: string, reason: string): BrokenStateError {
  return new BrokenStateError(`${where} cannot be used: ${reason}`)
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw brokenState(where, (error as Error).message)
  }
}

function stateError(state: unknown): string | undefined {
  const { domains, configuration, outbox = [] } = (state ?? {}) as { [Key in keyof StoredState]?: unknown }
  if (!Array.isArray(domains)) return 'it has no array of domains'
  if (!Array.isArray(outbox)) return 'outbox must be an array'
  return configurationError(configuration) ?? domains.map(domainError).find((error) => error !== undefined)
}

function configurationError(text: unknown): string | undefined {
  try {
    if (text !== undefined) parseConfiguration(String(text), 'configuration')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function domainError(domain: Partial<Domain> | null, index: number): string | undefined {
  const place = `domains[${index}]`
  const { name, state, attempts } = domain ?? {}
  if (typeof name?.host !== 'string') return `${place} has no name.host`
  if (!states.includes(state)) return `${place}.state must be one of ${states.join(', ')}`
  if (typeof attempts !== 'number') return `${place}.attempts must be a number`
  return undefined
}
