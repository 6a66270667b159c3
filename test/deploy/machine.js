// What the scripts in this folder share: a machine with PostgreSQL and an empty folder, and installed servers that use it.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { domainsEnv } from '../domains/environment.js'
import { createCluster } from '../postgres/cluster.js'

/** @typedef {Awaited<ReturnType<typeof machine>>} Machine */
/** @typedef {ReturnType<typeof installed>} Installed */
/** @typedef {Awaited<ReturnType<Installed['serve']>>} Server */

export const folder = mkdtempSync(join(tmpdir(), 'store-orders-deploy-'))
const encryptionKey = randomBytes(32).toString('hex')
const dashboardKey = `operator:${randomBytes(24).toString('hex')}`
/** @type {(() => unknown)[]} */
const endings = [() => rmSync(folder, { recursive: true })]

/** Stops the servers and removes everything. */
export async function cleanUp() {
  for (const end of endings.reverse()) await end()
}

/** A machine with PostgreSQL and an empty folder, as the environment of its commands. @param {string} name */
export async function machine(name) {
  const home = join(folder, name)
  mkdirSync(home)
  const cluster = await createCluster({ settings: [] })
  endings.push(cluster.remove)
  await cluster.start()
  return {
    home,
    PATH: String(process.env.PATH),
    DATABASE_URL: cluster.url(),
    API_KEYS_FILE: join(home, 'keys'),
    DASHBOARD_KEYS: dashboardKey,
    PORT: '0',
  }
}

/** @param {Machine} env @param {string} storage of the domains: files or database */
export function domainsOf(env, storage) {
  return {
    ...env,
    ...domainsEnv,
    DATA_DIR: join(env.home, 'data'),
    DOMAINS_ENCRYPTION_KEYS: storage === 'database' ? encryptionKey : '',
  }
}

/** The server that is installed in a folder. @param {string} cwd */
export function installed(cwd) {
  /** @param {Record<string, string>} env @param {string[]} args */
  function run(env, ...args) {
    return execFileSync('node', [join(cwd, 'dist/cli/index.js'), ...args], { env, encoding: 'utf8' })
  }

  /** @param {Record<string, string>} env */
  async function serve(env) {
    const child = spawn('node', [join(cwd, 'dist/cli/index.js'), 'serve'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    endings.push(() => child.kill('SIGKILL'))
    let log = ''
    for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      log += text
      if (/domains at ports/.test(log)) break
    }
    const origin = /API at (\S+)\/v1/.exec(log)?.[1]
    if (!origin) throw new Error(`the server did not start: ${log}`)
    child.stdout.resume()
    return {
      origin,
      port: new URL(origin).port,
      /** @param {string} method @param {string} path @param {string} key */
      request: (method, path, key) =>
        fetch(`${origin}/v1/store/orders${path}`, { method, headers: { authorization: `Bearer ${key}` } }),
      /** The domains that it knows. */
      domains: () => JSON.parse(run({ ...env, PORT: new URL(origin).port }, 'domains', 'list', '--json')),
      async stop() {
        child.kill('SIGTERM')
        assert.equal(await ended, 0)
      },
    }
  }

  return { run, serve }
}

/** @param {Server} server @param {string} key */
export async function snapshot(server, key) {
  const response = await server.request('GET', '', key)
  const text = await response.text()
  return { text, etag: response.headers.get('etag'), count: JSON.parse(text).length }
}
