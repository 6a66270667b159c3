// What an operator follows together: a file of deploy/, and a page on stopping or the log. Without a cluster and Docker,
// the server gets the environment of the container, and what would be around it.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { until } from 'test-kit/until'
import { parse, parseAllDocuments } from 'yaml'
import { page } from '../docs/pages.ts'
import { clientsOf } from '../fixtures/clients.ts'
import { moduleOf, onTerminal, startServer, stop } from '../fixtures/process.ts'
import { insert, migratedDatabase } from '../postgres/orders.ts'

const ORDERS = 100_000
/** Of test-key. */
const keys = 'tests sha256:62af8704764faf8ea82fc61ce9c4c3908b6cb97d463a634e9e587d7c885db0ef\n'

interface Probe {
  httpGet: { path: string }
  periodSeconds: number
  failureThreshold: number
  timeoutSeconds: number
}

/** Resolves when the pod gets no further request. @returns how long that took, in milliseconds */
async function untilUnready(origin: string, { httpGet, periodSeconds, failureThreshold, timeoutSeconds }: Probe) {
  const begin = performance.now()
  for (let failures = 0; failures < failureThreshold; ) {
    await sleep(periodSeconds * 1000)
    const signal = AbortSignal.timeout(timeoutSeconds * 1000)
    const isReady = await fetch(origin + httpGet.path, { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
    failures = isReady ? 0 : failures + 1
  }
  return performance.now() - begin
}

t.test('kubernetes.yaml and stopping: no request fails until the probe has taken the pod out', async (t) => {
  const objects = parseAllDocuments(await readFile('deploy/kubernetes.yaml', 'utf8')).map((each) => each.toJS())
  const { terminationGracePeriodSeconds, containers } = objects.find(({ kind }) => kind === 'Deployment').spec.template
    .spec
  const [{ env, readinessProbe }] = containers
  const { periodSeconds, failureThreshold }: Probe = readinessProbe
  const values: { name: string; value?: string }[] = env
  const folder = t.testdir({ keys })
  const db = await migratedDatabase(t)
  await db.query(insert, [1, ORDERS])
  let cancelled = 0

  /** @returns false if this machine was too busy to probe in time */
  async function stopUnderLoad(): Promise<boolean> {
    const server = startServer(t, {
      NODE_ENV: 'production',
      ...Object.fromEntries(values.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
      API_KEYS_FILE: `${folder}/keys`,
      DATABASE_URL: db.url,
      METRICS_PORT: '0',
    })
    const origin = await server.origin
    await until(async () => (await fetch(origin + readinessProbe.httpGet.path)).ok)
    const load = clientsOf(() => origin, cancelled)
    await until(() => load.counts.GET > 10 && load.counts.DELETE > 10)
    server.child.kill('SIGTERM')
    const begin = performance.now()
    const killing = setTimeout(() => server.child.kill('SIGKILL'), terminationGracePeriodSeconds * 1000)
    const taken = await untilUnready(origin, readinessProbe)
    const failures = await load.stop()
    const code = await server.ended
    clearTimeout(killing)
    cancelled += load.counts.DELETE
    t.comment(JSON.stringify({ ...load.counts, unreadyAfterMs: taken, endedAfterMs: performance.now() - begin }))
    if (taken > (failureThreshold + 1) * periodSeconds * 1000) return false
    t.strictSame(failures, {})
    t.equal(code, 0, 'it ends by itself')
    t.match(server.stdout(), /"msg":"requests since the shutdown began: [1-9]\d* served, none aborted"}\n$/)
    return true
  }

  while (!(await stopUnderLoad()));
  const rows = await db.query("SELECT count(*)::int FROM store_orders.orders WHERE status = 'cancelled'")
  t.strictSame(rows, [{ count: cancelled }], 'each cancellation has acted once')
})

/** What the page shows after `marker`, with the log from a file in place of where it shows it from. */
async function runShown(marker: RegExp, log: string): Promise<string> {
  const text = page('docs/on-call.md')
  const [line] = marker.exec(text) ?? []
  const [, command] = /\| (.*)/.exec(String(line)) ?? []
  return (await promisify(execFile)('bash', ['-c', `set -o pipefail; cat ${log} | ${command}`])).stdout
}

t.test('compose.yaml and the log: warnings are found although stderr is in it', async (t) => {
  const { services } = parse(await readFile('deploy/compose.yaml', 'utf8'), { merge: true })
  const db = await migratedDatabase(t)
  const folder = t.testdir()
  const { API_KEYS_FILE: _, ...environment } = services.server.environment
  const server = startServer(
    t,
    { ...environment, NODE_ENV: 'production', API_KEYS: 'tests:test-key', DATABASE_URL: db.url, METRICS_PORT: '0' },
    { shell: 'exec 2>&1', preload: moduleOf("process.emitWarning('of a dependency')") },
  )
  await server.origin
  await stop(t, server)
  await writeFile(`${folder}/log`, server.stdout())
  t.match(server.stdout(), /^\(node:\d+\) Warning: of a dependency$/m)
  const shown = await runShown(/^ *journalctl .* \| jq .*level.*$/m, `${folder}/log`)
  t.match(shown, 'API_KEYS: the key tests has fewer than 16 characters')
  t.notMatch(shown, /"level": 30/)
})

t.test('Docker with a terminal: warnings are found, and SIGTERM ends it', async (t) => {
  const folder = t.testdir()
  const env = { NODE_ENV: 'production', API_KEYS: 'tests:test-key', SHUTDOWN_DELAY: '0' }
  const server = startServer(t, env, onTerminal(`${folder}/pid`))
  await server.origin
  process.kill(Number(await readFile(`${folder}/pid`, 'utf8')), 'SIGTERM')
  t.equal(await server.ended, 0)
  await writeFile(`${folder}/log`, server.stdout())
  const lines = (await runShown(/`docker logs [^`]*\| grep [^`]*/, `${folder}/log`)).split('\n').filter(Boolean)
  t.ok(lines.some((line) => line.includes('API_KEYS: the key tests has fewer than 16 characters')))
  for (const line of lines) t.notMatch(line, ' INFO: ')
})
