import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, truncateSync } from 'node:fs'
import process from 'node:process'
import t, { type Test } from 'tap'
import { freePort, isOpen } from 'test-kit/ports'
import { until } from 'test-kit/until'
import { API_KEYS, headers, onTerminal, startServer, startWithOutput, stop } from '../fixtures/process.ts'

const skip = existsSync('/dev/full') ? false : 'this system has no /dev/full'

function open(t: Test, path: string): number {
  const fd = openSync(path, 'a')
  t.teardown(() => closeSync(fd))
  return fd
}

type Server = Awaited<ReturnType<typeof startWithOutput>>

/** The server responds whatever the log does, and SIGTERM ends it. */
async function goesOn(t: Test, server: Server) {
  for (let i = 0; i < 5; i++) t.equal((await fetch(`${server.origin}/v1/store/orders`, { headers })).status, 200)
  await stop(t, server)
}

const reported = (reason: string) =>
  new RegExp(
    `^store-orders: cannot write the log \\(${reason}\\); continuing without it and retrying
store-orders: at the end of the log, \\d+ lines were lost\n$`,
  )

t.test('a full disk behind stdout and stderr does not block the server', { skip }, async (t) => {
  const full = open(t, '/dev/full')
  await goesOn(t, await startWithOutput(t, { stdout: full, stderr: full }))
})

/** Sends requests until the server has printed this, and waits for their responses. */
async function askUntil({ printed }: Server, pattern: RegExp, ask: () => Promise<unknown>) {
  let isPrinted = false
  async function askOn() {
    while (!isPrinted) await ask()
  }
  const waiting = printed(pattern).then(() => {
    isPrinted = true
  })
  await Promise.all([waiting, askOn()])
}

t.test('a file size limit does not block the server, and the log resumes once there is space', async (t) => {
  const file = `${t.testdir({ log: '' })}/log`
  const server = await startWithOutput(t, { stdout: open(t, file), shell: 'ulimit -f 8' })
  await askUntil(server, /cannot write the log \(EFBIG\)/, async () => {
    t.equal((await fetch(`${server.origin}/v1/store/orders`, { headers })).status, 200)
  })
  truncateSync(file)
  await server.printed(/writing the log again; 0 lines were lost\n$/)
  await goesOn(t, server)
  t.match(readFileSync(file, 'utf8'), /"signal":"SIGTERM".*"msg":"shutting down"}\n.*none aborted"}\n$/)
})

t.test('a reader that closes the pipe does not block the server, and is reported once', async (t) => {
  const server = await startWithOutput(t, { stdout: 'pipe' })
  await server.printed(/API at/)
  server.child.stdout?.destroy()
  await goesOn(t, server)
  t.match(server.stderr(), reported('EPIPE'))
})

t.test('a stalled reader does not block the server, and the lines waiting for it are bounded', async (t) => {
  const server = await startWithOutput(t, { stdout: 'pipe' })
  await server.printed(/API at/)
  server.child.stdout?.pause()
  const path = `/${'a'.repeat(15_000)}` // makes long lines in the log
  await askUntil(server, /its reader is too slow/, async () => {
    t.equal((await fetch(server.origin + path)).status, 404)
  })
  server.child.kill('SIGTERM')
  t.strictSame(await once(server.child, 'exit'), [0, null])
  await server.printed(/at the end of the log, \d+ lines were lost\n$/)
})

t.test('a terminal that nobody reads does not block the server', { skip: process.platform !== 'linux' }, async (t) => {
  const port = await freePort()
  const folder = t.testdir()
  const server = startServer(t, { API_KEYS, PORT: String(port) }, onTerminal(`${folder}/pid`))
  await server.printed(/API at/)
  server.child.stdout?.pause()
  const path = `/${'a'.repeat(2_000)}`
  // More than the terminal and the pipe behind it hold.
  for (let count = 0; count < 300; count++) t.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 404)
  process.kill(Number(readFileSync(`${folder}/pid`, 'utf8')), 'SIGTERM')
  await until(async () => !(await isOpen(port)))
  server.child.stdout?.resume()
  t.equal(await server.ended, 0)
})
