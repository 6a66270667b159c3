// Slow connections: idle ones, and senders so slow that the server disconnects them.
import { setTimeout as sleep } from 'node:timers/promises'
import { cancel, list } from '../requests/calls.ts'
import { latin1 } from '../requests/message.ts'
import { valid } from '../requests/valid.ts'
import type { Script, Source } from '../types.ts'
import { rejected } from './pipelines.ts'

/** Longer than the timeout for headers. */
const TRICKLE_MS = 500
/** Longer than every timeout of the server. */
const silenceMs = 90_000
const late = { ...rejected, statuses: [408] }

const pause = (ms: number) => () => sleep(ms, undefined, { ref: false })

/** Slow senders: no response may treat their requests as complete. */
export const slow: readonly ((source: Source) => Script)[] = [
  (source) => ({ kind: 'slow: no byte', pieces: [], responses: [], end: 'wait', touches: source.touches, silenceMs }),
  (source) => begun(source, 'slow: a line', 30),
  (source) => begun(source, 'slow: half the headers', 80),
  (source) => ({ ...begun(source, 'slow: no body', 0), pieces: [bodyless(source, 'Content-Length: 10\r\n\r\n12')] }),
  (source) => ({
    ...begun(source, 'slow: no chunk', 0),
    pieces: [bodyless(source, 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')],
  }),
  trickled,
  (source) => {
    const { pieces, responses, ...script } = begun(source, 'slow: behind others', 60)
    const before = [valid(source, { call: list('GET') }), valid(source, { call: list('HEAD') })]
    const all = [...before.map(({ response }) => response), ...responses]
    return { ...script, pieces: [...before.map(({ bytes }) => bytes), ...pieces], responses: all }
  },
]

function begun(source: Source, kind: string, length: number): Script {
  const { bytes } = valid(source, { call: cancel(source) })
  const pieces = [latin1(bytes.toString('latin1').replace(/^\r\n/, '').slice(0, length))]
  return { kind, pieces, responses: [late], end: 'wait', touches: source.touches, silenceMs }
}

function bodyless(source: Source, end: string) {
  const { method, target } = cancel(source)
  return latin1(`${method} ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${source.world.key}\r\n${end}`)
}

/** A byte now and then: too slow for headers. */
function trickled(source: Source): Script {
  const bytes = bodyless(source, `X-Long: ${'x'.repeat(60)}\r\n\r\n`)
  const pieces = Array.from(bytes, (_, at) => [bytes.subarray(at, at + 1), pause(TRICKLE_MS)]).flat()
  return { kind: 'slow: byte by byte', pieces, responses: [late], end: 'wait', touches: source.touches, silenceMs }
}

/** Waits until all others are connected, too. Every third has sent nothing until then, and may have been closed. */
export function idle(source: Source, gate: () => Promise<unknown> = async () => {}): Script {
  const { random, number, touches } = source
  const isSilent = number % 3 === 0
  const first = isSilent ? [] : [valid(source)]
  const second = valid(source)
  const isOptional = isSilent
  const responses = [...first.map(({ response }) => response), { ...second.response, isOptional }]
  const pieces = [...first.map(({ bytes }) => bytes), gate, second.bytes]
  return { kind: 'idle', pieces, responses, end: random.pick(['fin', 'fin', 'reset']), touches, silenceMs }
}
