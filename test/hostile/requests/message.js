// Writes requests as bytes. Text is Latin-1: one byte per character.

/** @typedef {readonly [name: string, value: string]} Field */

/**
 * @typedef {object} Message
 * @property {string} method
 * @property {string} target
 * @property {string} [version]
 * @property {readonly Field[]} fields
 * @property {string} [body] with its framing
 */

/** @param {Message} message @returns {Buffer} */
export function write({ method, target, version = '1.1', fields, body = '' }) {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
  return latin1(`${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n${body}`)
}

/** @param {string} text */
export function latin1(text) {
  return Buffer.from(text, 'latin1')
}

/** @param {import('../types.js').World} world @returns {Field} */
export function authorization({ key }) {
  return ['Authorization', `Bearer ${key}`]
}

/** @param {import('../random.js').Random} random @returns {Field} */
export function requestId(random) {
  return ['X-Request-Id', `h-${random.text(14)}`]
}
