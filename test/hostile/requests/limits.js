// Requests just below and above the server's limits: fields, headers, targets, bodies.
import { cancel, LIST } from './calls.js'
import { authorization, requestId, write } from './message.js'

/**
 * @typedef {import('../types.js').Source} Source
 * @typedef {import('./message.js').Field} Field
 */

const FIELDS = 1000
const HEADERS = 16 * 1024
const TARGET = 16 * 1024
const BODY = 1024 * 1024
/** Near the limit of bytes, the server decides whether line ends and the request line count. */
const DOUBT = 256

/**
 * @typedef {{ bytes: Buffer, statuses: readonly number[], order?: bigint, isRejection: boolean }} Limit
 * isRejection: the connection is closed
 */

/** @type {readonly ((source: Source) => Limit)[]} */
export const limits = [
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
  (source) => ({ ...declared(source, 'Content-Length', '1073741824'), statuses: [413], isRejection: true }),
]

/** @param {Source} source */
function usual(source) {
  const { method, target, order } = cancel(source)
  const fields = [
    /** @type {Field} */ (['Host', source.world.host]),
    requestId(source.random),
    authorization(source.world),
  ]
  return { method, target, fields, ...(order !== undefined && { order }) }
}

/** @param {number} count of all fields @param {readonly number[]} statuses @param {boolean} isRejection @returns {(source: Source) => Limit} */
function counted(count, statuses, isRejection) {
  return (source) => {
    const { order, ...message } = usual(source)
    const fill = Array.from({ length: count - message.fields.length }, () => /** @type {Field} */ (['a', 'b']))
    return limit(write({ ...message, fields: [...fill, ...message.fields] }), statuses, isRejection, order)
  }
}

/** @param {number} size of all lines of headers @param {readonly number[]} statuses @param {boolean} isRejection @returns {(source: Source) => Limit} */
function sized(size, statuses, isRejection, count = 1) {
  return (source) => {
    const { order, ...message } = usual(source)
    const used = message.fields.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
    const each = Math.floor((size - used) / count)
    const fill = Array.from({ length: count }, () => /** @type {Field} */ (['A', 'x'.repeat(each - 5)]))
    return limit(write({ ...message, fields: [...message.fields, ...fill] }), statuses, isRejection, order)
  }
}

/** @param {number} size of the target @param {readonly number[]} statuses @param {boolean} isRejection @returns {(source: Source) => Limit} */
function long(size, statuses, isRejection) {
  return ({ world, random }) => {
    const target = `/${'a'.repeat(size - 1)}`
    return limit(
      write({ method: 'GET', target, fields: [['Host', world.host], requestId(random)] }),
      statuses,
      isRejection,
    )
  }
}

/** @param {number} size @param {readonly number[]} statuses @param {boolean} isRejection @returns {(source: Source) => Limit} */
function body(size, statuses, isRejection) {
  return (source) => {
    const { order, ...message } = usual(source)
    const fields = [...message.fields, /** @type {Field} */ (['Content-Length', `${size}`])]
    return limit(write({ ...message, fields, body: 'x'.repeat(size) }), statuses, isRejection, order)
  }
}

/** @param {number} size @param {readonly number[]} statuses @param {boolean} isRejection @returns {(source: Source) => Limit} */
function chunks(size, statuses, isRejection) {
  const half = Math.floor(size / 2)
  const text = [half, size - half].map((length) => `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`).join('')
  return (source) => {
    const { order, ...message } = usual(source)
    const fields = [...message.fields, /** @type {Field} */ (['Transfer-Encoding', 'chunked'])]
    return limit(write({ ...message, fields, body: `${text}0\r\n\r\n` }), statuses, isRejection, order)
  }
}

/** A body that is announced but not sent. @param {Source} source @param {string} name @param {string} value */
function declared(source, name, value) {
  const message = {
    method: 'GET',
    target: LIST,
    fields: [
      /** @type {Field} */ (['Host', source.world.host]),
      authorization(source.world),
      /** @type {Field} */ ([name, value]),
    ],
  }
  return { bytes: write(message) }
}

/** @param {Buffer} bytes @param {readonly number[]} statuses @param {boolean} isRejection @param {bigint} [order] @returns {Limit} */
function limit(bytes, statuses, isRejection, order) {
  return { bytes, statuses, isRejection, ...(order !== undefined && { order }) }
}
