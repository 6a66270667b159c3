// What the tests of backups and upgrades share: PostgreSQL and an empty folder, and installed servers that use them.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import process from 'node:process'
import type { Test } from 'tap'
import { start, startWithDomains } from '../fixtures/process.ts'
import { clusterOf } from '../postgres/orders.ts'

const { env } = process
const DOMAINS_ENCRYPTION_KEYS = randomBytes(32).toString('hex')

/** As the environment of its servers, whose domains are in the database. */
export async function machine(t: Test, home: string) {
  mkdirSync(home)
  const { cluster } = await clusterOf(t, [])
  const own = { DATABASE_URL: cluster.url(), API_KEYS_FILE: `${home}/keys`, DATA_DIR: `${home}/data` }
  return { ...own, API_KEYS: '', DOMAINS_ENCRYPTION_KEYS }
}

/** The server that is installed in a folder. */
export function installed(t: Test, folder: string) {
  /** @returns what the command prints */
  async function run(env: Record<string, string>, ...args: string[]) {
    const command = start(t, 'cli/index', args, env, { program: `${folder}/dist/cli/index.js` })
    t.equal(await command.ended, 0, command.stderr())
    return command.stdout().trim()
  }

  async function serve(env: Record<string, string>) {
    const server = startWithDomains(t, env, { program: `${folder}/dist/server.js` })
    const [origin] = await Promise.all([server.origin, server.ports])
    /** What a client gets. */
    async function listed(authorization: string) {
      const response = await fetch(`${origin}/v1/store/orders`, { headers: { authorization } })
      const text = await response.text()
      return { text, etag: response.headers.get('etag'), count: JSON.parse(text).length }
    }
    return { ...server, origin, listed, domains: async () => JSON.stringify(await (await server.call('GET')).json()) }
  }

  return { run, serve }
}

/** Runs a command of PostgreSQL, from the folder POSTGRES_BIN. */
export const postgres = (command: string, ...args: string[]) => execFileSync(`${env.POSTGRES_BIN}/${command}`, args)
