// Requests just below and above the server's limits: fields, headers, targets, bodies.
import type { World } from '../types.ts'
import { LIST } from './calls.ts'
import type { Variant } from './variant.ts'

const FIELDS = 1000
const HEADERS = 16 * 1024
const TARGET = 16 * 1024
const BODY = 1024 * 1024
/** Near the limit of bytes, the server decides whether line ends and the request line count. */
const DOUBT = 256

const done = [204, 404]

export function limitsOf({ key, host }: World): Variant[] {
  const usual = [`Host: ${host}`, `X-Request-Id: h-${'x'.repeat(14)}`, `Authorization: Bearer ${key}`]
  const used = usual.join('\r\n').length + 2
  /** @param count of all fields */
  const counted = (count: number) => ({ fields: 'a: b\r\n'.repeat(count - usual.length) })
  /** @param size of all lines of headers, filled by so many */
  const sized = (size: number, count = 1) => ({
    fields: `A: ${'x'.repeat(Math.floor((size - used) / count) - 5)}\r\n`.repeat(count),
  })
  const long = (size: number) => ({ method: 'GET', target: `/${'a'.repeat(size - 1)}`, isAnonymous: true })
  const whole = (size: number) => ({ fields: `Content-Length: ${size}\r\n`, body: 'x'.repeat(size) })
  const chunked = (size: number) => {
    const sizes = [Math.floor(size / 2), Math.ceil(size / 2), 0]
    const chunks = sizes.map((length) => `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`)
    return { fields: 'Transfer-Encoding: chunked\r\n', body: chunks.join('') }
  }
  const bodies = (size: number) => [whole(size), chunked(size)]
  const promised = { method: 'GET', target: LIST, fields: 'Content-Length: 1073741824\r\n' } // none follows

  const rows: [closes: Variant['closes'], statuses: number[], variants: Partial<Variant>[]][] = [
    ['may', done, [FIELDS - 1, FIELDS].map(counted)],
    ['may', [431], [FIELDS + 1, FIELDS + 2, 1500, 1990].map(counted)],
    ['may', done, [HEADERS - DOUBT - 100, HEADERS - DOUBT].map((size) => sized(size))],
    ['may', [...done, 431], [-2, -1, 0, 1, 2].map((by) => sized(HEADERS + by))],
    ['must', [431], [HEADERS + DOUBT, HEADERS * 2, HEADERS * 3].map((size) => sized(size))],
    ['must', [431], [HEADERS + DOUBT, HEADERS * 2].map((size) => sized(size, 40))],
    ['may', [404], [TARGET - 1000, TARGET / 2].map(long)],
    ['may', [404, 414, 431], [-DOUBT, -1, 0, 1].map((by) => long(TARGET + by))],
    ['must', [414], [TARGET + DOUBT, TARGET * 2, TARGET * 3].map(long)],
    ['may', done, [BODY - 1, BODY].flatMap(bodies)],
    ['must', [413], [promised, ...[BODY + 1, BODY + 2].flatMap(bodies)]],
  ]
  return rows.flatMap(([closes, statuses, variants]) => variants.map((one) => ({ ...one, closes, statuses })))
}
