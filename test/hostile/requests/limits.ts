// Requests just below and above the server's limits: fields, headers, targets, bodies.
import type { Source } from '../types.ts'
import { cancel, LIST } from './calls.ts'
import { authorization, type Field, requestId, write } from './message.ts'

const FIELDS = 1000
const HEADERS = 16 * 1024
const TARGET = 16 * 1024
const BODY = 1024 * 1024
/** Near the limit of bytes, the server decides whether line ends and the request line count. */
const DOUBT = 256

interface Limit {
  bytes: Buffer
  statuses: readonly number[]
  order?: bigint | undefined
  /** The connection is closed. */
  isRejection: boolean
}
type LimitOf = (source: Source) => Limit

export const limits: readonly LimitOf[] = [
  ...[FIELDS - 1, FIELDS].map((count) => counted(count, [204, 404], false)),
  ...[FIELDS + 1, FIELDS + 2, 1500, 1990].map((count) => counted(count, [431], false)),
  ...[HEADERS - DOUBT - 100, HEADERS - DOUBT].map((size) => sized(size, [204, 404], false)),
  ...[-2, -1, 0, 1, 2].map((by) => sized(HEADERS + by, [204, 404, 431], false)),
  ...[HEADERS + DOUBT, HEADERS * 2, HEADERS * 3].map((size) => sized(size, [431], true)),
  ...[HEADERS + DOUBT, HEADERS * 2].map((size) => sized(size, [431], true, 40)),
  ...[TARGET - 1000, TARGET / 2].map((size) => long(size, [404], false)),
  ...[-DOUBT, -1, 0, 1].map((by) => long(TARGET + by, [404, 414, 431], false)),
  ...[TARGET + DOUBT, TARGET * 2, TARGET * 3].map((size) => long(size, [414], true)),
  ...[BODY - 1, BODY].flatMap((size) => [body(size, [204, 404], false), chunks(size, [204, 404], false)]),
  ...[BODY + 1, BODY + 2].flatMap((size) => [body(size, [413], true), chunks(size, [413], true)]),
  ({ world }) => {
    const fields: Field[] = [['Host', world.host], authorization(world), ['Content-Length', '1073741824']] // none follows
    return { bytes: write({ method: 'GET', target: LIST, fields }), statuses: [413], isRejection: true }
  },
]

/** A cancellation with more fields, computed from the usual ones, and a body. */
function cancelWith(
  more: (usual: readonly Field[]) => Field[],
  statuses: readonly number[],
  isRejection: boolean,
  body = '',
): LimitOf {
  return (source) => {
    const { method, target, order } = cancel(source)
    const usual: Field[] = [['Host', source.world.host], requestId(source.random), authorization(source.world)]
    return { bytes: write({ method, target, fields: [...more(usual), ...usual], body }), statuses, order, isRejection }
  }
}

/** @param count of all fields */
function counted(count: number, statuses: readonly number[], isRejection: boolean) {
  const fill: Field = ['a', 'b']
  return cancelWith((usual) => Array(count - usual.length).fill(fill), statuses, isRejection)
}

/** @param size of all lines of headers */
function sized(size: number, statuses: readonly number[], isRejection: boolean, count = 1) {
  const fill = (usual: readonly Field[]): Field[] => {
    const used = usual.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
    return Array(count).fill(['A', 'x'.repeat(Math.floor((size - used) / count) - 5)])
  }
  return cancelWith(fill, statuses, isRejection)
}

/** @param size of the target */
function long(size: number, statuses: readonly number[], isRejection: boolean): LimitOf {
  return ({ world, random }) => {
    const fields: Field[] = [['Host', world.host], requestId(random)]
    return { bytes: write({ method: 'GET', target: `/${'a'.repeat(size - 1)}`, fields }), statuses, isRejection }
  }
}

function body(size: number, statuses: readonly number[], isRejection: boolean) {
  return cancelWith(() => [['Content-Length', `${size}`]], statuses, isRejection, 'x'.repeat(size))
}

function chunks(size: number, statuses: readonly number[], isRejection: boolean) {
  const half = Math.floor(size / 2)
  const text = [half, size - half].map((length) => `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`).join('')
  return cancelWith(() => [['Transfer-Encoding', 'chunked']], statuses, isRejection, `${text}0\r\n\r\n`)
}
