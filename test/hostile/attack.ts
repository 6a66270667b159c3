// The attack on one server: fixed connections, random ones, and a thousand idle ones, each judged by itself; then the orders.
import fc from 'fast-check'
import { deferred } from 'test-kit/until'
import { listOf, respondsSoon } from './checks.ts'
import { judge } from './judge.ts'
import { orderModel } from './model.ts'
import { play } from './play.ts'
import { drawnBy, randomOf } from './random.ts'
import type { Played, Report } from './report.ts'
import { broken } from './requests/broken.ts'
import { limitsOf } from './requests/limits.ts'
import { odd } from './requests/odd.ts'
import { variantOf } from './requests/variant.ts'
import { cut, half, mutant, noise, toCut } from './scripts/cuts.ts'
import { idle } from './scripts/patient.ts'
import { byteByByte, pipeline } from './scripts/pipelines.ts'
import type { Script, Source, World } from './types.ts'

/** How many connections are open at once. */
const WIDTH = 24
const IDLE = 1000
const GATE_LIMIT_MS = 30_000
/** Random connections of one seed. */
const RUNS = 5
/** A connection that stays open takes 20 s: at some time, a smaller one is no longer sought. */
const SHRINK_MS = 60_000
/** With so many findings, the server counts as gone. */
const MOST_FINDINGS = 50
/** The server may reject a larger request while it is being written. */
const LOSSY_BYTES = 4096

/** With their weights. */
const kinds: readonly (readonly [number, (source: Source) => Script])[] = [
  [69, pipeline],
  [10, half],
  [10, mutant],
  [8, noise],
  [3, byteByByte],
]

export const anyScript = (source: Source) => source.random.weighted(kinds)(source)

/** Each broken and odd request and each limit alone, and requests that are cut at every byte. */
export function* fixed(source: Source): Generator<Script> {
  for (const variant of [...broken, ...odd, ...limitsOf(source.world)]) {
    const { name = '', bytes, response } = variantOf(source, variant)
    const end = variant.closes === 'must' ? 'wait' : 'fin'
    yield { kind: name, pieces: [bytes], responses: [response], end, isLossy: bytes.length > LOSSY_BYTES }
  }
  for (const make of toCut) {
    for (let at = make(source).bytes.length; at > 0; at--) {
      yield cut(make(source), at, 'fin')
      yield cut(make(source), at, 'reset')
    }
  }
}

class Failure extends Error {
  readonly problems: string[]
  readonly played: Played

  constructor(problems: string[], played: Played) {
    super(problems.join('; '))
    this.problems = problems
    this.played = played
  }
}

interface Target {
  port: number
  world: World
  report: Report
  /** Allows what limits and other ports respond. */
  isRelaxed?: boolean
}

export function attackOn({ port, world, report, isRelaxed = false }: Target) {
  const model = orderModel(world.orders)
  const counts = { connections: 0, requests: 0 }
  let all: Played[] = []

  /** @throws a Failure */
  async function run(script: Script) {
    const received = await play(script, port)
    const { problems, outcomes } = judge(script, received, { isRelaxed })
    counts.connections++
    counts.requests += Math.max(1, script.responses.filter(({ isOptional }) => !isOptional).length)
    if (!isRelaxed) problems.push(...outcomes.flatMap((outcome) => model.follow(outcome) ?? []))
    const played = { script, received }
    if (problems.length > 0) throw new Failure(problems, played)
    all.push(played)
  }

  function tell(error: unknown) {
    if (!(error instanceof Failure)) throw error
    const { problems, played } = error
    report.add(played.script.kind, problems, [played])
    if (report.lines.length > MOST_FINDINGS) throw new Error('given up')
  }

  const playAll = (scripts: Iterable<Script>, width = WIDTH) =>
    sideBySide(scripts, width, (script) => run(script).catch(tell))

  return {
    counts,
    left: model.left,
    play: playAll,
    /** Random connections with at least so many requests. Of those that fail, the smallest is found. */
    async search(seed: number, requests: number) {
      const [end, found] = [counts.requests + requests, report.lines.length]
      const seeds = Array.from({ length: requests }, (_, index) => seed + index)
      await sideBySide(seeds, WIDTH, async (seed) => {
        if (counts.requests >= end || report.lines.length > found) return
        let number = seed * RUNS
        const property = fc.asyncProperty(fc.gen(), async (draw) => {
          await run(anyScript({ world, random: drawnBy(draw), number: number++ }))
        })
        const options = { seed, numRuns: RUNS, interruptAfterTimeLimit: SHRINK_MS }
        const { errorInstance } = await fc.check(property, options)
        if (errorInstance) tell(errorInstance)
      })
    },
    /** Connections that have sent one request or none, while a normal request gets its response. */
    async idle(seed: number) {
      const gate = gateFor(IDLE, async () => report.add('idle', (await respondsSoon(port)).problems))
      const numbers = Array.from({ length: IDLE }, (_, number) => number)
      const scripts = numbers.map((number) => idle({ world, random: randomOf(seed, number), number }, gate))
      await playAll(scripts, IDLE)
    },
    /** Compares the list with the model. */
    async compare() {
      for (const { message, order } of model.compare(await listOf(port, world.key))) {
        const named = all.filter(({ script }) =>
          script.pieces.some((piece) => 'buffer' in piece && piece.includes(`/${order}`)),
        )
        report.add('orders', [message], named)
      }
      all = []
    },
  }
}

/** Opens when this many wait at it, after `meanwhile`, or when some are missing. */
function gateFor(count: number, meanwhile: () => Promise<void>) {
  const { promise, resolve } = deferred<void>()
  let missing = count
  return async () => {
    if (missing === count) setTimeout(resolve, GATE_LIMIT_MS).unref()
    if (--missing === 0) await meanwhile().finally(resolve)
    await promise
  }
}

async function sideBySide<T>(items: Iterable<T>, width: number, use: (item: T) => Promise<void>) {
  const iterator = items[Symbol.iterator]()
  async function lane() {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await use(next.value)
  }
  await Promise.all(Array.from({ length: width }, lane))
}
