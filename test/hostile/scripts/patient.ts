// Connections that wait: for so long that the server disconnects them, or until many are open.
import { setTimeout as sleep } from 'node:timers/promises'
import { list } from '../requests/calls.ts'
import { valid } from '../requests/valid.ts'
import { variantOf } from '../requests/variant.ts'
import type { Piece, Script, Source } from '../types.ts'
import { rejected } from './pipelines.ts'

/** Longer than the timeout for headers. */
const TRICKLE_MS = 500
/** Longer than every timeout of the server. */
const silenceMs = 90_000
const late = { ...rejected, statuses: [408] }

const pause = () => sleep(TRICKLE_MS, undefined, { ref: false })

/** Slow senders: no response may treat their requests as complete. */
export function slow(source: Source): Script[] {
  const { bytes } = variantOf(source, { statuses: [], closes: 'may' })
  const bodyless = (fields: string, body = '') => variantOf(source, { fields, body, statuses: [], closes: 'may' }).bytes
  const trickled = bodyless(`X-Long: ${'x'.repeat(60)}\r\n`)
  const before = [valid(source, { call: list('GET') }), valid(source, { call: list('HEAD') })]
  const kinds: [kind: string, pieces: Piece[], responses?: Script['responses']][] = [
    ['no byte', [], []],
    ['a line', [bytes.subarray(0, 30)]],
    ['half the headers', [bytes.subarray(0, 80)]],
    ['no body', [bodyless('Content-Length: 10\r\n', '12')]],
    ['no chunk', [bodyless('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n')]],
    ['byte by byte, too slow for headers', Array.from(trickled, (byte) => [Buffer.of(byte), pause]).flat()],
    [
      'behind others',
      [...before.map((one) => one.bytes), bytes.subarray(0, 60)],
      [...before.map((one) => one.response), late],
    ],
  ]
  return kinds.map(([kind, pieces, responses = [late]]) => ({
    ...{ kind: `slow: ${kind}`, pieces, responses, silenceMs },
    end: 'wait',
  }))
}

/** Waits until all others are connected, too. Every third has sent nothing until then, and may have been closed. */
export function idle(source: Source, gate: () => Promise<unknown>): Script {
  const isOptional = source.number % 3 === 0
  const first = isOptional ? [] : [valid(source)]
  const second = valid(source)
  const responses = [...first.map(({ response }) => response), { ...second.response, isOptional }]
  const pieces = [...first.map(({ bytes }) => bytes), gate, second.bytes]
  return { kind: 'idle', pieces, responses, end: source.random.pick(['fin', 'fin', 'reset']), silenceMs }
}
