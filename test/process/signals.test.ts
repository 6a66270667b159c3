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

t.test('the server closes after the delay', async (t) => {
  const server = startServer(t, { API_KEYS, SHUTDOWN_DELAY: '1' })
  await server.origin
  await stop(t, server)
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

t.test('a signal before the start ends the process as one without a handler', async (t) => {
  const server = startServer(t, { API_KEYS }, { preload: moduleOf(signalItself) })
  t.equal(await server.ended, 'SIGTERM')
  t.equal(server.stdout() + server.stderr(), '')
})

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

/** Code that makes a function signal the process before it runs. */
const signalBefore = (object: string, name: string) =>
  `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Server } from 'node:net'
const { ${name} } = ${object}
${object}.${name} = function (...args) {
  ${signalItself}
  return ${name}.apply(this, args)
}
syncBuiltinESMExports()`

t.test('the start ends even if the signal does not kill the process, as for PID 1 of a container', async (t) => {
  const survives = "process.on('SIGTERM', () => {})"
  const preload = moduleOf(`${survives}\n${signalBefore('fs.promises', 'stat')}`)
  const server = startServer(t, { API_KEYS }, { preload })
  t.equal(await server.ended, 128 + constants.signals.SIGTERM)
  t.equal(server.stderr(), 'store-orders: stopped by SIGTERM before startup finished\n')
})

t.test('a signal ends the command serve even before its modules are loaded, as for PID 1', async (t) => {
  const hooks = `export function load(url, context, next) {
  if (url.endsWith('/cli/run.js')) ${signalItself}
  return next(url, context)
}`
  // `register` is deprecated since Node.js 26.
  const preload = moduleOf(`import module from 'node:module'
import { load } from '${moduleOf(hooks).replaceAll("'", '%27')}'
process.on('SIGTERM', () => {})
if (module.registerHooks) module.registerHooks({ load })
else module.register('${moduleOf(hooks).replaceAll("'", '%27')}')`)
  const server = start(t, 'cli/index', ['serve'], { API_KEYS, PORT: '0' }, { preload })
  t.equal(await server.ended, 128 + constants.signals.SIGTERM)
  t.equal(server.stderr(), 'store-orders: stopped by SIGTERM before startup finished\n')
})

t.test('so does one as node dist/server.js begins to load its modules', async (t) => {
  const preload = moduleOf(`import module from 'node:module'
process.on('SIGTERM', () => {})
const load = module._extensions['.js']
module._extensions['.js'] = (loaded, path) => {
  if (path.endsWith('/serve.js')) ${signalItself}
  return load(loaded, path)
}`)
  const server = startServer(t, { API_KEYS }, { preload })
  t.equal(await server.ended, 128 + constants.signals.SIGTERM)
  t.equal(server.stderr(), 'store-orders: stopped by SIGTERM before startup finished\n')
})

t.test('a signal while the server begins to listen ends the process with 0', async (t) => {
  const server = startServer(t, { API_KEYS }, { preload: moduleOf(signalBefore('Server.prototype', 'listen')) })
  t.equal(await server.ended, 0)
  t.equal(server.stderr(), '')
})

t.test('a signal that arrives as the handlers of the start are removed ends the process with 0', async (t) => {
  const preload = moduleOf(`const { off } = process
process.off = function (name, ...rest) {
  if (name === 'SIGTERM') {
    process.off = off
    ${signalItself}
  }
  return off.call(this, name, ...rest)
}`)
  const server = startServer(t, { API_KEYS }, { preload })
  t.equal(await server.ended, 0)
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
