// The server with a key file, and the commands that edit it.
import { chmod, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { ask } from 'test-kit/raw'
import { until } from 'test-kit/until'
import { runCommand } from '../cli/command.ts'
import { start, startServer, stop } from '../fixtures/process.ts'

async function keys(t: Test, file: string, ...args: string[]) {
  const { code, stdout, stderr } = await runCommand(['keys', ...args], { API_KEYS_FILE: file })
  t.equal(code, 0, stderr)
  return stdout.trim()
}

t.test('keys are created, rotated and revoked while the server runs, without a secret in its log', async (t) => {
  const file = `${t.testdir({})}/keys`
  const first = await keys(t, file, 'new', 'shop')
  const env = { AUTH_FAILURE_LIMIT: 'off', LOG_LEVEL: 'trace', NODE_ENV: 'production' } // keys are tried until they are valid
  const server = startServer(t, { API_KEYS_FILE: file, ...env })
  const socket = connect(await server.port(), '127.0.0.1')
  t.teardown(() => socket.destroy())
  /** The status of a request, all on one connection. */
  const send = async (key: string) =>
    (await ask(socket, `HEAD /v1/store/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)).status
  const becomes = async (key: string, status: number) => {
    await until(async () => (await send(key)) === status)
    t.pass(`${status}`)
  }

  t.equal(await send(first), 200)
  const second = await keys(t, file, 'rotate', 'shop')
  await becomes(second, 200)
  t.equal(await send(first), 200, 'in its grace')
  await keys(t, file, 'new', 'other')
  await keys(t, file, 'revoke', 'shop')
  await becomes(second, 401)
  t.equal(await send(first), 401)

  await stop(t, server)
  const written = server.stdout() + server.stderr()
  for (const key of [first, second]) t.notMatch(written, key)
  t.match(written, /API keys reloaded: 1 key, .*removed .*shop/)
})

/** From this version on, the permission model has no `fsync`, without which nothing is saved. */
const isSyncDisabled = Number.parseInt(process.versions.node, 10) >= 26

t.test("under Node's permission model, a key file keeps its mode", async (t) => {
  const folder = t.testdir({})
  const file = `${folder}/keys`
  const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'
  const limits = `${flag} --allow-worker --allow-fs-read=* --allow-fs-write=${folder} --allow-fs-write=${resolve('.tap')}`
  for (const name of ['first', 'second']) {
    const options = { shell: `export NODE_OPTIONS='${limits}'` }
    const command = start(t, 'cli/index', ['keys', 'new', name], { API_KEYS_FILE: file }, options)
    const code = await command.ended
    if (isSyncDisabled) {
      t.match(command.stderr(), 'fsync API is disabled')
      return
    }
    t.equal(code, 0, command.stderr())
    if (name === 'first') await chmod(file, 0o660) // as Kubernetes does with fsGroup
  }
  t.equal((await stat(file)).mode & 0o777, 0o660)
  t.match(await keys(t, file, 'list'), /\nfirst .*\nsecond /)
})
