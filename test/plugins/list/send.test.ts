import { EventEmitter, once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import process from 'node:process'
import { createWriteScheduler } from 'http-edge/responses'
import t from 'tap'
import { listen } from 'test-kit/ports'
import { send } from '../../../plugins/list/send.ts'

t.test('slowly read chunks arrive completely and in order', async (t) => {
  const chunks = Array.from({ length: 500 }, (_, index) => Buffer.alloc(50_000, index))
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 500 * 50_000 })
    send(response, chunks, createWriteScheduler())
    t.ok(response.writableLength < 500 * 50_000 - 16 * 50_000, 'what the client does not read yet is not written')
  })
  const port = await listen(t, server)
  const [response] = (await once(get({ port }), 'response')) as [IncomingMessage]
  const received: Buffer[] = []
  for await (const chunk of response) {
    received.push(chunk)
    if (received.length % 50 === 0) await new Promise(setImmediate)
  }
  t.ok(Buffer.concat(received).equals(Buffer.concat(chunks)))
})

t.test('a response writes a batch in each iteration of the event loop, while the client reads', async (t) => {
  const chunks = new Array<Buffer>(30).fill(Buffer.alloc(5_000))
  const batches: number[] = []
  const responses = [0, 1, 2].map((index) => {
    const events = new EventEmitter()
    return Object.assign(events, {
      destroyed: false,
      cork: () => {},
      write: () => index !== 2,
      uncork() {
        batches.push(index)
        if (index === 2) process.nextTick(() => events.emit('drain'))
      },
      end: () => events.emit('end'),
    })
  })
  const ended = [0, 2].map((index) => once(responses[index] as EventEmitter, 'end'))
  const scheduler = createWriteScheduler()
  for (const response of responses) send(response as unknown as ServerResponse, chunks, scheduler)
  for (let length = 0; length < 6; length++) {
    t.ok(batches.length <= length)
    await new Promise(setImmediate)
  }
  Object.assign(responses[1] as object, { destroyed: true })
  await Promise.all(ended)
  const count = (index: number) => batches.filter((each) => each === index).length
  t.strictSame([count(0), count(2)], [4, 4])
  t.ok(count(1) < 4, 'a response that was destroyed writes no more')
})

t.test('no more is written while the client does not read', async (t) => {
  let batches = 0
  const stalled = { destroyed: false, cork() {}, write: () => false, uncork: () => batches++, end() {} }
  const response = Object.assign(new EventEmitter(), stalled) as unknown as ServerResponse
  send(response, new Array<Buffer>(30).fill(Buffer.alloc(5_000)), createWriteScheduler())
  for (let turn = 0; turn < 6; turn++) await new Promise(setImmediate)
  t.equal(batches, 1)
})

t.test('a short body waits for no turn', async (t) => {
  const wait = () => t.fail('it waits')
  const scheduler = { scheduleFirst: wait, scheduleNext: wait, delayOfFirst: () => 0 }
  const bodies = [[], ['a'.repeat(10_000)], [Buffer.alloc(100_000)], [Buffer.alloc(60_000), Buffer.alloc(60_000)]]
  for (const chunks of bodies) {
    const server = createServer((_request, response) => send(response, chunks, scheduler))
    const response = await fetch(`http://127.0.0.1:${await listen(t, server)}`)
    t.equal(await response.text(), chunks.join(''))
  }
})
