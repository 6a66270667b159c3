// Attacks the built server over raw sockets: npm run test:hostile [-- --seed 1 --requests 100000]
import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { domainsEnv } from '../domains/environment.js'
import { attackOn, fixed } from './attack.ts'
import { logProblems, memoryReturns, mib, respondsSoon } from './checks.ts'
import { makeOrders } from './model.ts'
import { randomOf } from './random.ts'
import { newReport, type Report } from './report.ts'
import { slow } from './scripts/patient.ts'
import { startServer } from './server.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(10 ** 9)) },
    requests: { type: 'string', default: '100000' },
    /** The server to run: a modified copy shows that the suite can fail. */
    program: { type: 'string', default: 'dist/server.js' },
  },
})

const reports = fileURLToPath(new URL('../../reports/hostile/', import.meta.url))
const ORDERS = 6000
const REQUESTS_PER_BATCH = 10_000
/** To each port whose responses are not predicted exactly, a batch. */
const RELAXED_REQUESTS = 800
const SLOW_ROUNDS = 4

/** @param folder for the servers' files */
async function main(report: Report, seed: number, requests: number, folder: string) {
  const orders = makeOrders(seed, ORDERS)
  const key = `hostile-${seed.toString(36)}-secret-of-32-characters`
  const defaults = { API_KEYS: `hostile:${key}`, ORDERS_FILE: `${folder}/orders.ndjson` }
  // Most of the time, every response must be exact: limits would change some.
  const env = { ...defaults, AUTH_FAILURE_LIMIT: 'off', MAX_EVENT_LOOP_DELAY: '0', MAX_ADDRESS_SHARE: '1' }
  writeFileSync(env.ORDERS_FILE, orders.text)

  async function party(name: string, env: Record<string, string>, ready = /API at http:\/\/[\d.]+:(\d+)/, host = 'a') {
    const server = await startServer({ program: values.program, logs: `${reports}${name}`, env, ready })
    const world = { key, host, orders }
    return { name, server, world, ...attackOn({ port: server.port, world, report, isRelaxed: name !== 'api' }) }
  }
  const domains = { ...env, ...domainsEnv, DATA_DIR: `${folder}/data`, DASHBOARD_KEYS: `hostile:${key}` }
  const parties = await Promise.all([
    party('api', env),
    party('domains', domains, /domains at ports (\d+) and/, domainsEnv.PLATFORM_DOMAIN),
    party('defaults', defaults),
  ])
  const [api, ...relaxed] = parties
  const source = { world: api.world, random: randomOf(seed, 0), number: 0 }
  const slowSenders = Array.from({ length: SLOW_ROUNDS }, () => slow(source)).flat()
  const slowOnes = api.play(slowSenders, slowSenders.length)
  await api.play(fixed(source)) // by then, everything is loaded
  const { bytes: usual } = await memoryReturns(api.server, Number.POSITIVE_INFINITY)

  const started = Date.now()
  const batches = Math.max(1, Math.round(requests / REQUESTS_PER_BATCH))
  for (let batch = 0; batch < batches; batch++) {
    const batchSeed = seed + batch * REQUESTS_PER_BATCH
    await api.search(batchSeed, requests / batches)
    await api.idle(batchSeed)
    for (const one of relaxed) await one.search(batchSeed, RELAXED_REQUESTS)
    await api.compare()
    const { ms, problems } = await respondsSoon(api.server.port)
    const memory = await memoryReturns(api.server, usual)
    report.add('between batches', [...problems, ...memory.problems])
    if (!parties.every(({ server }) => server.isAlive())) break
    const figures = [`${api.counts.requests} requests`, `${Math.round((Date.now() - started) / 1000)} s`]
    const state = [mib(memory.bytes), `${ms.toFixed(1)} ms`, `${api.left()} orders pending`]
    console.log([...figures, ...state, `${report.lines.length} findings`].join(', '))
  }
  await slowOnes
  await api.compare()
  if (api.counts.requests < requests) report.add('the run', [`${api.counts.requests} requests only`])

  for (const { name, server, counts } of parties) {
    if (!server.isAlive()) report.add(name, ['the process has ended'])
    else if (name !== 'domains') report.add(name, (await respondsSoon(server.port, '/docs')).problems)
    const code = await server.stop()
    if (code !== 0) report.add(name, [`SIGTERM ended it with ${code}`])
    report.add(`log of the ${name}`, logProblems(server.files, key))
    console.log(`${name}: ${counts.connections} connections, ${counts.requests} requests`)
  }
}

/** @throws if it is not a number */
function whole(name: 'seed' | 'requests') {
  if (!/^\d{1,9}$/.test(values[name])) throw new Error(`--${name} must be a whole number, not "${values[name]}"`)
  return Number(values[name])
}

for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
  process.once(signal, () => process.exit(code))
try {
  const [seed, requests] = [whole('seed'), whole('requests')]
  console.log(`seed ${seed}, ${requests} requests`)
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const folder = mkdtempSync(`${tmpdir()}/store-orders-hostile-`)
  const report = newReport(reports)
  await main(report, seed, requests, folder).catch((error) => report.add('the run', [error.message]))
  rmSync(folder, { recursive: true })
  if (report.lines.length > 0) {
    const again = `npm run test:hostile -- --seed ${seed} --requests ${requests}`
    console.log(`\n${report.lines.join('\n')}\n\nThe bytes: reports/hostile/. Again: ${again}`)
    process.exit(1) // also ends servers that are still running
  }
} catch (error) {
  console.error(`test:hostile: ${(error as Error).message}`)
  process.exitCode = 1
}
