// Three PostgreSQLs that Patroni runs as a leader with synchronous standbys, with one etcd, in a temporary folder.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from 'test-kit/ports'

/** @typedef {{ etcd: string, patroni: string, bin: string }} Programs */
/** @typedef {Awaited<ReturnType<typeof nodeIn>>} Node */

const NOBODY = 65534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
const DEBIAN = '/usr/lib/postgresql'
const NODES = ['a', 'b', 'c']
const WAIT_MS = 90_000
const POLL_MS = 200

/** The required programs that exist, and a line for each missing one. */
export function requirements() {
  const { PATRONI = 'patroni', POSTGRES_BIN } = process.env
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const bins = POSTGRES_BIN ? [POSTGRES_BIN] : versions.map((version) => join(DEBIAN, version, 'bin'))
  const bin = bins.find((each) =>
    ['postgres', 'pg_basebackup', 'pg_rewind'].every((name) => existsSync(join(each, name))),
  )
  const runs = (/** @type {string} */ command) => spawnSync(command, ['--version'], identity).status === 0
  const install = `pip install 'patroni[etcd3]' 'psycopg[binary]', and PATRONI=/path where it is not in PATH`
  const missing = [
    ...(runs('etcd') ? [] : ['etcd: on Debian apt-get install etcd-server']),
    ...(runs(PATRONI) ? [] : [`${PATRONI}: ${install}`]),
    ...(bin ? [] : ['postgres, pg_basebackup and pg_rewind: apt-get install postgresql, or POSTGRES_BIN=/path']),
  ]
  if (identity.uid !== undefined && missing.length > 0)
    missing.push('As root, all of them run as "nobody", who must reach them.')
  return { programs: { etcd: 'etcd', patroni: PATRONI, bin: bin ?? '' }, missing }
}

/** @param {Programs} programs */
export async function startPatroni(programs) {
  const folder = newFolder()
  const etcd = await startEtcd(programs.etcd, folder)
  /** @type {Node[]} */
  const nodes = []
  for (const name of NODES) nodes.push(await nodeIn({ name, folder, programs, etcd: etcd.address }))
  process.on('exit', () => {
    for (const node of nodes) node.killNow()
    etcd.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  const until = async (/** @type {string} */ what, /** @type {() => Promise<Node | undefined>} */ find) => {
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(POLL_MS)) {
      const result = await find()
      if (result) return result
    }
    throw new Error(`${what} did not come within ${WAIT_MS / 1000} s`)
  }
  const find = async (/** @type {string} */ role, /** @type {Node} */ except) => {
    for (const node of nodes) if (node !== except && (await node.is(role))) return node
    return undefined
  }
  const cluster = {
    url: `postgres://postgres@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres?sslmode=disable`,
    leader: () => until('a leader', () => find('leader', /** @type {any} */ (undefined))),
    /** @param {Node} node */
    anotherThan: (node) => until('another leader', () => find('leader', node)),
    /** Resolves when one standby is synchronous, and all nodes run. */
    async settled() {
      await until('a synchronous standby', () => find('synchronous', /** @type {any} */ (undefined)))
      for (const node of nodes)
        await until(`node ${node.name}`, async () => ((await node.is('health')) ? node : undefined))
    },
    /** @param {Node} node that leads now */
    async switchover(node) {
      const candidate = await until('a synchronous standby', () => find('synchronous', node))
      const body = JSON.stringify({ leader: node.name, candidate: candidate.name })
      const response = await fetch(`${node.api}/switchover`, { method: 'POST', body })
      if (!response.ok) throw new Error(`no switchover: ${response.status} ${await response.text()}`)
      await cluster.anotherThan(node)
    },
    async remove() {
      for (const node of nodes) node.killNow()
      etcd.child.kill('SIGKILL')
    },
  }
  for (const node of nodes) await node.start()
  await cluster.leader()
  await cluster.settled()
  return cluster
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'store-orders-patroni-'))
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid)
  return folder
}

/** @param {string} command @param {string} folder */
async function startEtcd(command, folder) {
  const [address, peer] = [`127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`]
  const urls = { 'listen-client-urls': `http://${address}`, 'advertise-client-urls': `http://${address}` }
  const peers = { 'listen-peer-urls': peer, 'initial-advertise-peer-urls': peer, 'initial-cluster': `default=${peer}` }
  const options = Object.entries({ 'data-dir': join(folder, 'etcd'), ...urls, ...peers })
  const args = options.map(([name, value]) => `--${name}=${value}`)
  return { address, child: spawn(command, args, { ...identity, stdio: 'ignore' }) }
}

/** @param {{ name: string, folder: string, programs: Programs, etcd: string }} options */
async function nodeIn({ name, folder, programs, etcd }) {
  const [port, restPort] = [await freePort(), await freePort()]
  const data = join(folder, name)
  const file = join(folder, `${name}.json`)
  const config = patroniConfig({ name, folder, data, port, restPort, etcd, bin: programs.bin })
  writeFileSync(file, JSON.stringify(config))
  const api = `http://127.0.0.1:${restPort}`
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child

  const signalPostgres = () => {
    try {
      process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    } catch {} // it has ended or not started
  }
  const node = {
    name,
    port,
    api,
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    async start() {
      const env = { PATH: process.env.PATH, LC_ALL: 'C' }
      child = spawn(programs.patroni, [file], { ...identity, stdio: 'ignore', env })
    },
    /** Whether Patroni reports a role: leader, synchronous, health. @param {string} role */
    async is(role) {
      const asked = fetch(`${api}/${role}`, { signal: AbortSignal.timeout(1000) })
      return asked.then(({ ok }) => ok).catch(() => false)
    },
    /** Both at the same time, like a power failure. */
    async kill() {
      const ended = child && once(child, 'exit')
      node.killNow()
      await ended
    },
    killNow() {
      child?.kill('SIGKILL')
      signalPostgres()
    },
  }
  return node
}

/** Short timeouts, and commits that wait for a standby. @param {{ name: string, folder: string, data: string, port: number, restPort: number, etcd: string, bin: string }} node */
function patroniConfig({ name, folder, data, port, restPort, etcd, bin }) {
  const [address, rest] = [`127.0.0.1:${port}`, `127.0.0.1:${restPort}`]
  const user = { username: 'postgres', password: 'chaos' }
  const postgresql = { use_pg_rewind: true, parameters: { max_connections: 100, wal_log_hints: 'on' } }
  const dcs = { ttl: 20, loop_wait: 2, retry_timeout: 5, synchronous_mode: true, postgresql }
  return {
    scope: 'store-orders',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: etcd },
    bootstrap: { dcs, initdb: [{ encoding: 'UTF8' }, { locale: 'C' }] },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: data,
      bin_dir: bin,
      pgpass: `${folder}/${name}.pgpass`,
      authentication: { superuser: user, replication: user, rewind: user },
      parameters: { unix_socket_directories: folder },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  }
}
