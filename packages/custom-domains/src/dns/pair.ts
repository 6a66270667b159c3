// An apex and its www name, which are published as a pair: one of them redirects.
import type { DomainName } from '../state/domain.ts'
import { parseName } from './name.ts'

/** Which one redirects to the other: the apex (`to-www`), or the www name (`from-www`). */
export type Direction = 'to-www' | 'from-www'

export interface Pair {
  apex: DomainName
  www: DomainName
}

/** The other name of the pair; undefined for a name that is neither an apex nor its www name. */
export function counterpartOf({ host, kind, zone, label }: DomainName): string | undefined {
  if (kind === 'apex') return `www.${host}`
  return label === 'www' ? zone : undefined
}

/**
 * @param reserved the platform's own hosts
 * @returns undefined also if the counterpart cannot be a domain of the users
 */
export function pairOf(name: DomainName, reserved: readonly string[]): Pair | undefined {
  const other = parseName(counterpartOf(name) ?? '', reserved)
  if ('invalid' in other) return undefined
  return name.kind === 'apex' ? { apex: name, www: other } : { apex: other, www: name }
}

/** `from` redirects to `to`. */
export function directed({ apex, www }: Pair, redirect: Direction): { from: DomainName; to: DomainName } {
  return redirect === 'to-www' ? { from: apex, to: www } : { from: www, to: apex }
}
