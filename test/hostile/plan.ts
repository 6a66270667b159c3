// The connections of a batch. A number has the same script in every run with the same seed.
import { randomOf } from './random.ts'
import { type Broken, broken } from './requests/broken.ts'
import { limits } from './requests/limits.ts'
import { brokenBytes } from './requests/odd.ts'
import { finAt, half, mutant, noise, resetAt } from './scripts/cuts.ts'
import { byteByByte, connect, halfClose, pipeline, rejectedWith } from './scripts/pipelines.ts'
import type { Script, Source, World } from './types.ts'

/** Numbers of connections: the first of each part of a batch, and those of a batch. */
export const numbers = { batch: 100_000, domains: 60_000, idle: 80_000, slow: 90_000 }

/** The lengths of the requests that are cut at each byte. */
const CUT_BYTES = 200

/** Each is played completely in every batch. */
const sweeps: readonly { count: number; make: (source: Source, at: number, batch: number) => Script }[] = [
  { count: broken.length, make: brokenAlone },
  { count: limits.length, make: atLimit },
  { count: CUT_BYTES, make: (source, at, batch) => resetAt(source, at + 1, batch) },
  { count: CUT_BYTES, make: (source, at) => finAt(source, at + 1) },
]

/** With their weights. */
const kinds: readonly (readonly [number, (source: Source) => Script])[] = [
  [60, pipeline],
  [10, half],
  [10, mutant],
  [8, noise],
  [6, connect],
  [3, byteByByte],
  [3, halfClose],
]

export function sourceOf(world: World, seed: number, number: number): Source {
  return { world, random: randomOf(seed, number), number, touches: [] }
}

export function scriptOf(source: Source) {
  let at = source.number % numbers.batch
  for (const { count, make } of sweeps) {
    if (at < count) return make(source, at, Math.floor(source.number / numbers.batch))
    at -= count
  }
  return anyScript(source)
}

export function anyScript(source: Source) {
  return source.random.weighted(kinds)(source)
}

/** The number of requests in a script, without optional ones and those after a rejection. */
export function requestsOf({ responses }: Script) {
  return Math.max(1, responses.filter(({ isOptional }) => !isOptional).length)
}

export type Numbered = readonly [number: number, script: Script]

/** Numbered scripts, until they have this many requests. */
export function* scripts(first: number, size: number, make: (number: number) => Script) {
  for (let [number, left] = [first, size]; left > 0; number++) {
    const script = make(number)
    left -= requestsOf(script)
    yield [number, script] as Numbered
  }
}

function brokenAlone(source: Source, at: number): Script {
  const fault = broken[at] as Broken
  const [pieces, responses] = [[brokenBytes(source, fault)], [rejectedWith(fault)]]
  return { kind: `broken: ${fault.name}`, pieces, responses, end: 'wait', touches: source.touches }
}

function atLimit(source: Source, at: number): Script {
  const limit = limits[at] as (typeof limits)[0]
  const { bytes, statuses, order, isRejection } = limit(source)
  const method = bytes.toString('latin1', 0, bytes.indexOf(' '))
  return {
    kind: `limit ${at}: ${statuses.join(' or ')}`,
    pieces: [bytes],
    responses: [{ method, statuses, closes: isRejection ? 'must' : 'may', order }],
    end: isRejection ? 'wait' : 'fin',
    touches: source.touches,
    isLossy: true,
  }
}
