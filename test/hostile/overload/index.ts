// Load, and attacks that cost the server no time: neither may make it reject a request that would not wait too long.
// Beside each, the same on a server without the limit.
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { certificateOf } from '../certificate.js'
import { makeOrders } from '../orders.ts'
import type { Report } from '../report.ts'
import { type Server, startServer } from '../server.ts'
import { halfRequests, http1Client, http2Client, listPath, load, type Response, unreadLists } from './clients.js'
import { afterMs, countOf, onceRejected, summaryOf, unjustRejections } from './responses.js'

const ORDERS = 100_000
/** The default of the server. */
const LIMIT_MS = 250
const HTTP2_LIMIT_MS = 50
const HTTP2_MS = 20_000
const QUIET_MS = 4000
const SLICE_MS = 1000
const ROUNDS = 3
/** A busy machine may be this many times as fast in one second as in another. */
const NOISE = 4
const DESCRIPTORS = 8192
const KEY = 'overload-secret-of-32-characters'
const HOST = 'docs.shop.test'
const petPath = '/v1/pets/7'

export type Servers = { guarded: Server; open: Server }

/** @param options `logs` ends in a slash */
export async function attackOverload(
  report: Report,
  { program, logs, folder, seed }: { program: string; logs: string; folder: string; seed: number },
) {
  const ORDERS_FILE = `${folder}/many-orders.ndjson`
  writeFileSync(ORDERS_FILE, makeOrders(seed, ORDERS).text)

  async function withServers(
    use: (servers: Servers) => Promise<void>,
    options: (limit: string) => Parameters<typeof startServer>[0],
  ) {
    const servers = { guarded: await startServer(options('')), open: await startServer(options('0')) }
    await use(servers)
    for (const server of Object.values(servers)) await server.stop()
  }
  function check(name: string, responses: Response[], limit: number) {
    const count = unjustRejections(responses, limit)
    if (count > 0) report.general(`overload, ${name}`, [`${count} requests were rejected that would not have waited`])
    return summaryOf(responses)
  }

  await withServers(
    async (servers) => {
      for (const [name, waves] of [
        ['32 clients after the start', [32]],
        ['96 clients, and again after a pause', [96, 96]],
      ] as const) {
        const [guarded, open] = [await wavesOf(servers.guarded, waves), await wavesOf(servers.open, waves)]
        console.log(`${name}: ${check(name, guarded, LIMIT_MS)}; without a limit: ${summaryOf(open)}`)
      }
      for (const [attack, start] of Object.entries({
        '1,200 requests without their bodies': halfRequests,
        '200 lists that are not read': unreadLists,
      })) {
        for (const path of [petPath, listPath]) {
          const name = `${attack}, beside them ${path}`
          const { guarded, open } = await besides(servers, start, path)
          const summary = check(name, guarded.beside, LIMIT_MS)
          console.log(
            `${name}: ${ratioOf(guarded)} of the responses without them, ${summary}; without a limit: ${ratioOf(open)}`,
          )
          if (countOf(guarded.beside, 200) * NOISE < countOf(open.beside, 200))
            report.general(`overload, ${name}`, ['the limit costs most of the responses'])
        }
      }
    },
    (limit) => ({
      program,
      logs: `${logs}overload-${limit}`,
      env: { API_KEYS: `hostile:${KEY}`, ORDERS_FILE, MAX_EVENT_LOOP_DELAY: limit },
      ready: /API at http:\/\/[\d.]+:(\d+)/,
      descriptors: DESCRIPTORS,
    }),
  )
  await withServers(
    async (servers) => {
      const guarded = await streamsOf(servers.guarded)
      const open = await streamsOf(servers.open)
      const name = '96 streams of HTTP/2'
      console.log(`${name}: ${check(name, guarded, HTTP2_LIMIT_MS)}; without a limit: ${summaryOf(open)}`)
      if (countOf(guarded, 503) === 0) report.general(`overload, ${name}`, ['no overload was seen'])
    },
    (limit) => ({
      program: fileURLToPath(new URL('../ports.js', import.meta.url)),
      logs: `${logs}overload-http2-${limit}`,
      env: { ...certificateOf(HOST, folder), ORDERS_FILE, API_KEY: KEY, LIMIT: limit || String(HTTP2_LIMIT_MS) },
      ready: /port (\d+)/,
    }),
  )
}

/** @param waves clients of each */
async function wavesOf({ port }: Server, waves: readonly number[]): Promise<Response[]> {
  const { get, close } = http1Client(port, KEY)
  const all = []
  for (const [wave, clients] of waves.entries()) {
    if (wave > 0) await sleep(QUIET_MS)
    all.push(...(await load(get, listPath, { clients, isOver: afterMs(2 * SLICE_MS) })))
  }
  close()
  return all
}

/** What eight clients get beside an attack and without it, by turns. */
async function besides(servers: Servers, attack: (port: number, key: string) => Promise<() => void>, path: string) {
  async function round(name: keyof Servers) {
    const { port } = servers[name]
    const { get, close } = http1Client(port, KEY)
    const eight = () => load(get, path, { clients: 8, isOver: afterMs(SLICE_MS) })
    results[name].without.push(...(await eight()))
    const stop = await attack(port, KEY)
    await get(listPath) // which begins after those of the attack
    results[name].beside.push(...(await eight()))
    stop()
    close()
  }
  const empty = () => ({ without: [] as Response[], beside: [] as Response[] })
  const results = { guarded: empty(), open: empty() }
  for (let count = 0; count < ROUNDS; count++) {
    await round('guarded')
    await round('open')
  }
  return results
}

const ratioOf = ({ without, beside }: { without: Response[]; beside: Response[] }) =>
  (countOf(beside, 200) / countOf(without, 200)).toFixed(2)

async function streamsOf({ port }: Server) {
  const { get, close } = await http2Client(port, KEY, HOST)
  const responses = await load(get, listPath, { clients: 96, isOver: onceRejected(HTTP2_MS) })
  close()
  return responses
}
