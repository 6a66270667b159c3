// The whole attack, in batches: every sweep, random connections, a thousand idle ones, the domains' port.
import { listOf, memoryReturns, mib, respondsSoon } from './checks.ts'
import { anyScript, type Numbered, numbers, requestsOf, scriptOf, scripts, sourceOf } from './plan.ts'
import { sideBySide } from './play.ts'
import type { Report } from './report.ts'
import { idle, slow } from './scripts/patient.ts'
import type { Server } from './server.ts'
import type { Session } from './session.ts'
import type { Source, World } from './types.ts'

interface Target {
  seed: number
  report: Report
  parties: Record<'api' | 'domains', Party>
}

/** A server under attack. */
interface Party {
  server: Server
  session: Session
  world: World
}

const REQUESTS_PER_BATCH = 10_000
const DOMAINS_PART = 0.08
const IDLE = 1000
const WIDTH = 24
const SLOW_ROUNDS = 4
const GATE_LIMIT_MS = 30_000

/** @param requests the minimum number sent to the API */
export async function attack(target: Target, requests: number) {
  const { report, parties } = target
  const { server, session, world } = parties.api
  const started = Date.now()
  const batches = Math.max(1, Math.round(requests / REQUESTS_PER_BATCH))
  const slowOnes = slowSenders(target).map(([number, script]) => session.run(number, script))
  let firstMemory = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < batches; batch++) {
    await playBatch(target, batch * numbers.batch, (requests * (batch + 1)) / batches)
    const { ms, problems } = await respondsSoon(server.port)
    report.general('between batches', problems)
    session.compare(await listOf(server.port, world.key))
    const memory = await memoryReturns(server, firstMemory)
    if (batch === 0) firstMemory = memory.bytes
    report.general('between batches', memory.problems)
    for (const [name, party] of Object.entries(parties)) {
      if (!party.server.isAlive()) throw new Error(`the server of the ${name} has ended`)
    }
    const figures = [`${session.counts.requests} requests`, `${Math.round((Date.now() - started) / 1000)} s`]
    const state = [mib(memory.bytes), `${ms.toFixed(1)} ms`, `${session.model.left()} orders pending`]
    console.log([...figures, ...state, `${report.count()} kinds of problems`].join(', '))
  }
  await Promise.all(slowOnes)
  if (session.counts.requests < requests) report.general('the run', [`${session.counts.requests} requests only`])
}

/** @param first its first number @param until the number of requests to the API by then */
async function playBatch({ seed, report, parties }: Target, first: number, until: number) {
  const { api, domains } = parties
  const gate = gateFor(IDLE, async () => {
    report.general('beside idle connections', (await respondsSoon(api.server.port)).problems)
  })
  const idleOnes = Array.from({ length: IDLE }, (_, index) => {
    const number = first + numbers.idle + index
    return [number, idle(sourceOf(api.world, seed, number), gate)] as Numbered
  })
  const idleRequests = idleOnes.reduce((sum, [, script]) => sum + requestsOf(script), 0)
  const size = until - api.session.counts.requests - idleRequests
  const ofApi = scripts(first, size, (number) => scriptOf(sourceOf(api.world, seed, number)))
  await sideBySide(ofApi, WIDTH, ([number, script]) => api.session.run(number, script))
  await sideBySide(idleOnes, IDLE, ([number, script]) => api.session.run(number, script))

  const share = REQUESTS_PER_BATCH * DOMAINS_PART
  const anyOf = (number: number) => anyScript(sourceOf(domains.world, seed, number))
  const ofDomains = scripts(first + numbers.domains, share, anyOf)
  await sideBySide(ofDomains, WIDTH, ([number, script]) => domains.session.run(number, script))
}

/** Only the connections with these numbers, one after another. */
export async function replay({ seed, parties }: Target, chosen: number[]) {
  const { api, domains } = parties
  for (const number of chosen) {
    const at = number % numbers.batch
    const isOfDomains = at >= numbers.domains && at < numbers.idle
    const { session, world } = isOfDomains ? domains : api
    const source = sourceOf(world, seed, number)
    const make = isOfDomains ? anyScript : at >= numbers.slow ? slowScript : at >= numbers.idle ? idle : scriptOf
    await session.run(number, make(source))
  }
}

function slowSenders({ seed, parties }: Target) {
  return Array.from({ length: SLOW_ROUNDS * slow.length }, (_, index) => {
    const number = numbers.slow + index
    return [number, slowScript(sourceOf(parties.api.world, seed, number))] as Numbered
  })
}

function slowScript(source: Source) {
  const make = slow[((source.number % numbers.batch) - numbers.slow) % slow.length] as (typeof slow)[0]
  return make(source)
}

/** Opens when this many wait at it, after `meanwhile`, or when some are missing. */
function gateFor(count: number, meanwhile: () => Promise<void>) {
  let open: (() => void) | undefined
  const isOpen = new Promise((resolve) => {
    open = () => resolve(undefined)
  })
  let missing = count
  return async () => {
    if (missing === count) setTimeout(() => open?.(), GATE_LIMIT_MS).unref()
    if (--missing === 0) await meanwhile().finally(open)
    await isOpen
  }
}
