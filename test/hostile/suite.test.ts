// The suite against small servers with injected faults: its verdicts are reliable.
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { listen } from 'test-kit/ports'
import { logProblems } from './checks.ts'
import { makeOrders } from './orders.ts'
import { anyScript, numbers, scriptOf, sourceOf } from './plan.ts'
import { sideBySide } from './play.ts'
import { newReport } from './report.ts'
import { newSession } from './session.ts'

const orders = makeOrders(1, 50)
const world = { key: 'secret', host: 'a', orders }
const error = JSON.stringify({ code: 'invalid_request', message: 'No.', status: 400 })
const fields = `Content-Type: application/json\r\nContent-Length: ${error.length}\r\nConnection: close\r\n`
const rejection = `HTTP/1.1 400 Bad Request\r\n${fields}\r\n${error}`

async function findingsOf(t: Test, serve: (socket: Socket, bytes: Buffer) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('data', (bytes) => serve(socket, bytes))
  })
  const folder = `${t.testdir({})}/`
  const report = newReport(folder, 1)
  const session = newSession({ port: await listen(t, server), orders, report })
  const items = Array.from({ length: 20 }, (_, number) => number) // broken framing, a request a connection
  await sideBySide(items, 5, (number) => session.run(number, scriptOf(sourceOf(world, 1, number))))
  t.equal(session.counts.connections, 20)
  return { lines: report.lines().join('\n'), folder }
}

t.test('a server that rejects each request once has no faults', async (t) => {
  const { lines } = await findingsOf(t, (socket) => socket.end(rejection))
  t.equal(lines, '')
})

t.test('a second, a missing and a wrong response are found, with the bytes', async (t) => {
  const twice = await findingsOf(t, (socket) => socket.end(rejection + rejection))
  t.match(twice.lines, /bytes after the last response/)
  const bytes = /^seed 1, connection 0, broken: Content-Length abc.*Content-Length: abc\\r\\n/s
  t.match(readFileSync(`${twice.folder}0.txt`, 'utf8'), bytes)
  t.match((await findingsOf(t, (socket) => socket.end())).lines, /response 1 of 1 is missing/)
  const done = 'HTTP/1.1 204 No Content\r\n\r\n'
  t.match((await findingsOf(t, (socket) => socket.end(done))).lines, /status 204, not 400/)
})

t.test('a number reproduces the same connection, and every kind is generated', async (t) => {
  const made = (number: number) => {
    const { kind, pieces, responses } = scriptOf(sourceOf(world, 7, number))
    return [kind, pieces, responses]
  }
  const count = 1500
  for (let number = 0; number < count; number += 7) t.strictSame(made(number), made(number))
  const kinds = new Set(Array.from({ length: count }, (_, number) => scriptOf(sourceOf(world, 7, number)).kind))
  const generated = ['pipeline', 'pipeline, odd', 'connect', 'half', 'mutant', 'noise', 'byte by byte', 'half-close']
  for (const kind of generated) t.ok(kinds.has(kind), kind)
  t.ok(anyScript(sourceOf(world, 7, numbers.domains)).responses.length > 0)
})

t.test('a log has JSON lines without the key, an error or a stack', async (t) => {
  const good = '{"level":30,"time":1,"msg":"GET"}\n'
  const problemsOf = (stdout: string, stderr = '') => {
    const dir = t.testdir({ stdout, stderr })
    return logProblems({ stdout: `${dir}/stdout`, stderr: `${dir}/stderr` }, 'secret')
  }
  t.strictSame(problemsOf(good + good), [])
  for (const [text, problem] of [
    [`${good}{"level":30,"time":1,"key":"secret"}\n`, /has the key/],
    [`${good}Error: no\n`, /no JSON/],
    ['{"time":1}\n', /without level/],
    ['{"level":50,"time":1}\n', /an error/],
    ['{"level":30,"time":1,"err":{"stack":"at"}}\n', /a stack/],
    ['{"level":30', /does not end/],
  ] as const)
    t.match(problemsOf(text), [problem])
  t.match(problemsOf(good, 'Error: no'), [/stderr/])
})
