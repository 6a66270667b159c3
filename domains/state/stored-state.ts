// Parses the stored state. A damaged one is reported, and nothing is overwritten.
import { parseConfiguration } from './configuration.ts'
import type { StoredState } from './snapshot.ts'

/** The stored state cannot be used: only an operator can repair or delete it. */
export class BrokenStateError extends Error {}

/** @param where names the text in errors @throws BrokenStateError */
export function parseState(text: string, where: string): StoredState {
  try {
    const state = JSON.parse(text)
    if (!Array.isArray(state?.domains)) throw new Error('it has no array of domains')
    const isNamed = (domain: StoredState['domains'][number] | null) => typeof domain?.name?.host === 'string'
    if (!state.domains.every(isNamed)) throw new Error('a domain has no name.host')
    if (state.configuration !== undefined) parseConfiguration(state.configuration, 'configuration')
    return state
  } catch (error) {
    throw brokenState(where, (error as Error).message)
  }
}

export function brokenState(where: string, reason: string): BrokenStateError {
  return new BrokenStateError(`${where} cannot be used: ${reason}`)
}
