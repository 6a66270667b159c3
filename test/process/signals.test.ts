import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { connect } from 'node:net'
import { constants } from 'node:os'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t from 'tap'
import { API_KEYS, headers, moduleOf, start, startServer, stop } from '../fixtures/process.ts'

t.test('SIGTERM fails readiness, and everything else is served until the delay ends', async (t) => {
  const server = startServer(t, { API_KEYS, SHUTDOWN_DELAY: '300' })
  const origin = await server.origin
  t.equal((await fetch(`${origin}/readyz`)).status, 200)
  server.child.kill('SIGTERM')
  await server.printed(/"shutting down"/)
  t.equal((await fetch(`${origin}/readyz`)).status, 503)
  t.equal((await fetch(`${origin}/livez`)).status, 200)
  t.equal((await fetch(`${origin}/v1/store/orders`, { headers })).status, 200)
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 1)
})

/** Preloaded, it prints the time of each timer that code outside of Node.js starts. */
const printTimers = moduleOf(`import { promisify } from 'node:util'
const { setTimeout } = globalThis
const printed = (start) => (...given) => {
  console.error('timer', given.find((each) => typeof each === 'number'))
  return start(...given)
}
globalThis.setTimeout = printed(setTimeout)
globalThis.setTimeout[promisify.custom] = printed(setTimeout[promisify.custom])`)

t.test('the server closes after the delay, within 5 seconds, and ends within 10 in any case', async (t) => {
  const server = startServer(t, { API_KEYS, SHUTDOWN_DELAY: '1' }, { preload: printTimers })
  await server.origin
  await stop(t, server)
  for (const ms of [5_000, 1_000 + 10_000]) t.match(server.stderr(), new RegExp(`^timer ${ms}$`, 'm'))
})

t.test('requests that arrive while the process is paused are served, and counted in the last line', async (t) => {
  const server = startServer(t, { API_KEYS })
  const port = await server.port()
  server.child.kill('SIGSTOP')
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const socket = connect(port, '127.0.0.1')
      t.teardown(() => socket.destroy())
      await promisify(socket.write).call(socket, 'DELETE /v1/store/orders/7 HTTP/1.1\r\nHost: x\r\n\r\n')
      return async () => (await text(socket)).slice(0, 12)
    }),
  )
  server.child.kill('SIGTERM')
  server.child.kill('SIGCONT')
  t.strictSame(new Set(await Promise.all(statuses.map((status) => status()))), new Set(['HTTP/1.1 401']))
  t.equal(await server.ended, 0)
  t.match(server.stdout(), /"msg":"requests since the shutdown began: \d+ served, none aborted"}\n$/)
})

t.test('a second signal ends the process immediately, with 1', async (t) => {
  const server = startServer(t, { API_KEYS })
  const socket = connect(await server.port(), '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write('GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n') // the incomplete second request delays the end
  await once(socket, 'data')
  server.child.kill('SIGTERM')
  await server.printed(/"signal":"SIGTERM".*"shutting down"/)
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 1)
  t.match(server.stdout(), /"level":50,.*"second SIGTERM, exiting"}\n$/)
})

const signalItself = "process.kill(process.pid, 'SIGTERM')"

/** Code that makes a function signal the process before it runs. */
const signalBefore = (object: string, name: string) => `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Server } from 'node:net'
const { ${name} } = ${object}
${object}.${name} = function (...args) {
  ${signalItself}
  return ${name}.apply(this, args)
}
syncBuiltinESMExports()`

/** Hooks of `import` that signal the process. `register` is deprecated since Node.js 26. */
const hooks = moduleOf(`export function load(url, context, next) {
  if (url.endsWith('/cli/run.js')) ${signalItself}
  return next(url, context)
}`).replaceAll("'", '%27')
const signalBeforeImport = `import module from 'node:module'
import { load } from '${hooks}'
if (module.registerHooks) module.registerHooks({ load })
else module.register('${hooks}')`

const signalBeforeRequire = `import module from 'node:module'
const load = module._extensions['.js']
module._extensions['.js'] = (loaded, path) => {
  if (path.endsWith('/serve.js')) ${signalItself}
  return load(loaded, path)
}`

const signalAtRemoval = `const { off } = process
process.off = function (name, ...rest) {
  if (name === 'SIGTERM') {
    process.off = off
    ${signalItself}
  }
  return off.call(this, name, ...rest)
}`

/** As for PID 1 of a container. */
const survives = "process.on('SIGTERM', () => {})\n"
const stopped = [128 + constants.signals.SIGTERM, 'store-orders: stopped by SIGTERM before startup finished\n'] as const
for (const [when, code, end, stderr, module = 'server'] of [
  ['before the start ends the process as one without a handler', signalItself, 'SIGTERM', ''],
  ['ends the start, even if it does not kill the process', survives + signalBefore('fs.promises', 'stat'), ...stopped],
  ['ends the command serve even before its modules are loaded', survives + signalBeforeImport, ...stopped, 'cli/index'],
  ['ends node dist/server.js as it begins to load its modules', survives + signalBeforeRequire, ...stopped],
  ['while the server begins to listen ends it with 0', signalBefore('Server.prototype', 'listen'), 0, ''],
  ['as the handlers of the start are removed ends the process with 0', signalAtRemoval, 0, ''],
] as const) {
  t.test(`a signal ${when}`, async (t) => {
    const args = module === 'cli/index' ? ['serve'] : []
    const server = start(t, module, args, { API_KEYS, PORT: '0' }, { preload: moduleOf(code) })
    t.equal(await server.ended, end)
    t.equal(server.stderr(), stderr)
    if (end === 'SIGTERM') t.equal(server.stdout(), '')
  })
}

t.test('a signal during the start is reported and ends the process, even while a pipe is read', async (t) => {
  const dir = t.testdir()
  await promisify(execFile)('mkfifo', [`${dir}/keys`, `${dir}/orders.ndjson`])
  for (const env of [{ API_KEYS_FILE: `${dir}/keys` }, { API_KEYS, ORDERS_FILE: `${dir}/orders.ndjson` }]) {
    const server = startServer(t, env)
    // Opening the pipe waits for the server, which then waits for a line.
    const pipe = await open(Object.values(env).at(-1) ?? '', 'w')
    server.child.kill('SIGINT')
    t.equal(await server.ended, 'SIGINT')
    await pipe.close()
    t.equal(server.stderr(), 'store-orders: stopped by SIGINT before startup finished\n')
  }
})

t.test('SIGHUP ends a server whose terminal closes', async (t) => {
  const preload = moduleOf(`import { syncBuiltinESMExports } from 'node:module'
import tty from 'node:tty'
tty.isatty = () => true
syncBuiltinESMExports()`)
  const server = startServer(t, { API_KEYS }, { preload })
  await server.origin
  await stop(t, server, 'SIGHUP')
})
