// Types shared by the parts of the suite.

/**
 * @typedef {object} Expected the response that a request must get
 * @property {string} method which decides whether the response has a body
 * @property {readonly number[]} statuses the valid ones
 * @property {'never' | 'may' | 'must'} closes whether the response ends the connection
 * @property {string} [id] the X-Request-Id that it must echo
 * @property {bigint} [order] the order that a 204 cancels
 * @property {boolean} [continues] the request expects 100-continue
 * @property {boolean} [isOptional] the connection may close instead
 * @property {boolean} [isMutant] only a 204 reveals the state of the order
 *
 * @typedef {object} Exchange
 * @property {string} [name] of its fault
 * @property {Buffer} bytes the request
 * @property {Expected} response
 *
 * @typedef {Buffer | (() => Promise<unknown>)} Piece bytes to write, or something to wait for
 *
 * @typedef {object} Script the life of one connection
 * @property {string} kind
 * @property {Piece[]} pieces
 * @property {Expected[]} responses in order
 * @property {'fin' | 'reset' | 'wait'} end after the last piece: half-close, reset, or wait for the server
 * @property {bigint[]} touches orders that its requests name, handled or not
 * @property {boolean} [isLossy] the server may reset while the client still writes, which can lose the last response
 * @property {number} [silenceMs] the longest silence
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
