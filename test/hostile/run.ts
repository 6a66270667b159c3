// Attacks the built server over raw sockets: npm run test:hostile [-- --seed 1 --requests 100000 --only 123456]
import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { domainsEnv } from '../domains/environment.js'
import { attack, replay } from './attack.ts'
import { listOf, logProblems } from './checks.ts'
import { attackDefaults } from './defaults.ts'
import { makeOrders } from './orders.ts'
import { newReport, type Report } from './report.ts'
import { startServer } from './server.ts'
import { newSession } from './session.ts'
import { attackStreams } from './streams.ts'

const SEEDS = 2 ** 32
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(SEEDS)) },
    requests: { type: 'string', default: '100000' },
    /** Numbers of connections, as in the findings. */
    only: { type: 'string', multiple: true, default: [] },
    /** The server to run: a modified copy shows that the suite can fail. */
    program: { type: 'string', default: 'dist/server.js' },
  },
})

const reports = fileURLToPath(new URL('../../reports/hostile/', import.meta.url))
const ORDERS = 6000

/** @throws if it is not a number */
function whole(name: string, text: string) {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`)
  return Number(text)
}

interface Plan {
  seed: number
  requests: number
  only: number[]
}

/** @param folder for the servers' files */
async function main({ seed, requests, only }: Plan, report: Report, folder: string) {
  const { program } = values
  const orders = makeOrders(seed, ORDERS)
  const key = `hostile-${seed.toString(36)}-secret-of-32-characters`
  const defaults = { API_KEYS: `hostile:${key}`, ORDERS_FILE: `${folder}/orders.ndjson` }
  // Most of the time, every response must be exact: limits would change some.
  const env = { ...defaults, AUTH_FAILURE_LIMIT: 'off', MAX_EVENT_LOOP_DELAY: '0', MAX_ADDRESS_SHARE: '1' }
  writeFileSync(env.ORDERS_FILE, orders.text)

  const apiServer = await startServer({ program, logs: `${reports}api`, env, ready: /API at http:\/\/[\d.]+:(\d+)/ })
  const domainsServer = await startServer({
    program,
    logs: `${reports}domains`,
    env: { ...env, ...domainsEnv, DATA_DIR: `${folder}/data`, DASHBOARD_KEYS: `hostile:${key}` },
    ready: /domains at ports (\d+) and/,
  })
  const parties = {
    api: {
      server: apiServer,
      session: newSession({ port: apiServer.port, orders, report }),
      world: { key, host: `127.0.0.1:${apiServer.port}`, orders },
    },
    domains: {
      server: domainsServer,
      session: newSession({ port: domainsServer.port, orders, report, isRelaxed: true }),
      world: { key, host: domainsEnv.PLATFORM_DOMAIN, orders },
    },
  }
  const isReplay = only.length > 0
  if (isReplay) await replay({ seed, report, parties }, only)
  else await attack({ seed, report, parties }, requests)
  parties.api.session.compare(await listOf(apiServer.port, key))
  if (!isReplay) {
    await attackDefaults({ program, logs: reports, env: defaults, plan: { seed, key, orders }, report })
    await attackStreams(report, { logs: `${reports}streams`, folder, seed })
  }

  for (const [name, { server, session }] of Object.entries(parties)) {
    if (!server.isAlive()) report.general(name, ['the process has ended'])
    const code = await server.stop()
    if (code !== 0) report.general(name, [`SIGTERM ended it with ${code}`])
    report.general(`log of the ${name}`, logProblems(server.files, key))
    const { connections, requests, responses, lost } = session.counts
    console.log(
      `${name}: ${connections} connections, ${requests} requests, ${responses} responses, ${lost} lost to a reset`,
    )
  }
}

for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
  process.once(signal, () => process.exit(code))
try {
  const seed = whole('seed', values.seed) % SEEDS
  const requests = whole('requests', values.requests)
  const only = values.only.flatMap((text) => text.split(',')).map((text) => whole('only', text))
  console.log(`seed ${seed}, ${only.length > 0 ? `connections ${only.join(', ')}` : `${requests} requests`}`)
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const report = newReport(reports, seed)
  const folder = mkdtempSync(`${tmpdir()}/store-orders-hostile-`)
  try {
    await main({ seed, requests, only }, report, folder)
  } catch (error) {
    report.general('the run', [(error as Error).message])
  }
  rmSync(folder, { recursive: true, force: true })
  if (report.count() > 0) {
    const again = `npm run test:hostile -- --seed ${seed} --only NUMBER`
    console.log(`\n${report.lines().join('\n')}\n\nThe bytes: reports/hostile/. One connection again: ${again}`)
    process.exit(1) // also ends servers that are still running after a failure
  }
} catch (error) {
  console.error(`test:hostile: ${(error as Error).message}`)
  process.exitCode = 1
}
