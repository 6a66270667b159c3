// The suite against small servers with injected faults: its verdicts are reliable.
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { listen } from 'test-kit/ports'
import { anyScript, attackOn, fixed } from './attack.ts'
import { logProblems } from './checks.ts'
import { makeOrders } from './model.ts'
import { randomOf } from './random.ts'
import { newReport } from './report.ts'

const world = { key: 'secret', host: 'a', orders: makeOrders(1, 50) }
const sourceOf = (seed: number) => ({ world, random: randomOf(seed, 0), number: seed })
const error = JSON.stringify({ code: 'invalid_request', message: 'No.', status: 400 })
const fields = `Content-Type: application/json\r\nContent-Length: ${error.length}\r\nConnection: close\r\n`
const rejection = `HTTP/1.1 400 Bad Request\r\n${fields}\r\n${error}`

/** An attack on a server that does this with what it reads. */
async function attackAt(t: Test, serve: (socket: Socket, text: string) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('data', (bytes) => serve(socket, bytes.toString('latin1')))
  })
  const report = newReport(`${t.testdir({})}/`)
  return { report, ...attackOn({ port: await listen(t, server), report, world }) }
}

const brokenOnes = () => [...fixed(sourceOf(1))].slice(0, 20)

t.test('a server that rejects each request once has no faults', async (t) => {
  const { report, counts, play } = await attackAt(t, (socket) => socket.end(rejection))
  await play(brokenOnes())
  t.strictSame([report.lines, counts], [[], { connections: 20, requests: 20 }])
})

t.test('a wrong response is found, with the bytes', async (t) => {
  const { report, play } = await attackAt(t, (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  await play(brokenOnes())
  t.equal(report.lines.length, 20)
  const [, file = ''] = String(report.lines[0]).split('\n  ')
  t.match(report.lines[0], /status 204, not 400/)
  t.match(readFileSync(file, 'utf8'), /Content-Length: abc\\r\\n\\r\\nhello"/)
})

t.test('of the random connections that fail, the smallest is found, and again with the same seed', async (t) => {
  const found = async () => {
    const { report, search } = await attackAt(t, (socket) => socket.end())
    await search(1, 1)
    return report.lines.map((line) => readFileSync(String(line.split('\n  ')[1]), 'latin1'))
  }
  const [one, two] = [await found(), await found()]
  t.strictSame(one, two)
  t.match(one[0], /^response 1 of 1 is missing\n/)
})

t.test('an order that leaves the list without a response is found, with the requests that named it', async (t) => {
  const listed = world.orders.placed.slice(1).map((id) => `{"id":${id}}`)
  const list = `[${listed}]`
  const { report, compare } = await attackAt(t, (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${list.length}\r\n\r\n${list}`),
  )
  await compare()
  t.match(report.lines, [/^orders: order 0 left the list without a 204/])
})

t.test('a number reproduces the same connection, and every kind is generated', async (t) => {
  const made = (seed: number) => anyScript(sourceOf(seed))
  for (let seed = 0; seed < 100; seed += 7) t.strictSame(made(seed), made(seed))
  const kinds = new Set<string>(Array.from({ length: 1000 }, (_, seed) => made(seed).kind))
  const generated = ['pipeline', 'half', 'mutant', 'noise', 'byte by byte']
  for (const kind of generated) t.ok(kinds.has(kind), kind)
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
