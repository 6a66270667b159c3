// The types that the suite's parts share.

/**
 * @typedef {object} Expected the answer that a request must get
 * @property {string} method which decides whether the answer has a body
 * @property {readonly number[]} statuses those that are right
 * @property {'never' | 'may' | 'must'} closes whether the answer ends the connection
 * @property {string} [id] the X-Request-Id that it must echo
 * @property {bigint} [order] the order that a 204 cancels
 * @property {boolean} [continues] the request expects 100-continue
 * @property {boolean} [isOptional] the connection may close instead
 * @property {boolean} [isMutant] of the order only a 204 says something
 *
 * @typedef {object} Exchange
 * @property {string} [name] of what is wrong with it
 * @property {Buffer} bytes the request
 * @property {Expected} answer
 *
 * @typedef {Buffer | (() => Promise<unknown>)} Piece bytes to write, or something to wait for
 *
 * @typedef {object} Script the life of one connection
 * @property {string} kind
 * @property {Piece[]} pieces
 * @property {Expected[]} answers in order
 * @property {'fin' | 'reset' | 'wait'} end after the last piece: half-close, reset, or leave it to the server
 * @property {bigint[]} touches orders that its requests name, done or not
 * @property {boolean} [isLossy] the server may reset while the client still writes, which can cost the last answer
 * @property {number} [silenceMs] how long nothing may happen
 *
 * @typedef {object} Received
 * @property {Buffer} bytes
 * @property {'closed' | 'reset' | 'deadline'} ended
 *
 * @typedef {object} World what requests are made of
 * @property {string} key
 * @property {string} host
 * @property {import('./orders.js').Orders} orders
 *
 * @typedef {object} Source the world, and one connection's random choices
 * @property {World} world
 * @property {import('./random.js').Random} random
 * @property {number} number of the connection
 * @property {bigint[]} touches
 */

export {}
