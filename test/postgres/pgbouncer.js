// A real PgBouncer in front of a PostgreSQL. PGBOUNCER=/path, where it is not in PATH.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { freePort } from 'test-kit/ports'

const { PGBOUNCER = 'pgbouncer' } = process.env

/**
 * In transaction mode. Before 1.21, it loses prepared statements there.
 * @param {number} server the port of PostgreSQL
 * @param {{ poolSize?: number }} [options]
 */
export async function startPgbouncer(server, { poolSize = 1 } = {}) {
  const version = /PgBouncer (\d+)\.(\d+)/.exec(spawnSync(PGBOUNCER, ['--version'], { encoding: 'utf8' }).stdout)
  assert.ok(version, `${PGBOUNCER} is missing: apt-get install pgbouncer, or set PGBOUNCER`)
  const keepsStatements = Number(version[1]) > 1 || Number(version[2]) >= 21
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'store-orders-pooler-'))
  const file = join(folder, 'pgbouncer.ini')
  const configure = (/** @type {number} */ to) =>
    writeFileSync(
      file,
      `[databases]
* = host=127.0.0.1 port=${to} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 100
default_pool_size = ${poolSize}
server_login_retry = 1
ignore_startup_parameters = options
${keepsStatements ? 'max_prepared_statements = 100' : ''}
`,
    )
  configure(server)
  const root = process.getuid?.() === 0
  if (root) spawnSync('chmod', ['-R', 'a+rX', folder]) // it reads its file again as this user
  const pooler = spawn(PGBOUNCER, [...(root ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' })
  return {
    version: version[0],
    keepsStatements,
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    /** Sends clients to another PostgreSQL from now on. @param {number} to */
    follow(to) {
      configure(to)
      pooler.kill('SIGHUP')
    },
    stop() {
      pooler.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
