// The rows of the benchmark, as data: requests, servers, methods and targets.
import { domainRows } from './domains.js'
import { overloadRows } from './overload.js'
import { postgresRows } from './postgres.js'
import { processRows } from './process.js'
import { requestRows } from './requests.js'

/**
 * @typedef {object} Entry one that is measured; the first of a row is this server
 * @property {string} name
 * @property {string} peer
 * @property {number} [orders] if not those of the row
 * @property {number} [connections]
 * @property {Record<string, string>} [env]
 * @property {Request} [request] if not that of the row
 * @property {boolean} [isDatabase] with its orders in PostgreSQL
 *
 * @typedef {object} Request without anything, a GET of the list
 * @property {boolean} [isKnown] with If-None-Match
 * @property {boolean} [isZipped] with Accept-Encoding: gzip
 * @property {number} [cancelEvery] one in this many requests is a DELETE
 *
 * @typedef {object} Target of the first entry's figure: as it is, or over the best of others
 * @property {string[]} [of]
 * @property {boolean} [isCpu] of the CPU time a request
 * @property {number} [atLeast]
 * @property {number} [atMost]
 *
 * @typedef {object} Row
 * @property {string} name for --only
 * @property {string} title
 * @property {'requests' | 'latency' | 'delay' | 'resident' | 'peak' | 'stalled' | 'openLoad' | 'beside' | 'waves' | 'loading' | 'starting' |
 *   'domainsStart' | 'domainsMemory' | 'domainsIdle' | 'domainsChange' | 'unchanged' | 'afterCancel' | 'afterShips' | 'afterAll' | 'logging' | 'firstList' | 'listedMemory' | 'databaseCancels' | 'importing' | 'cpu'} method
 * @property {'goodput' | 'p99' | 'recovery' | 'one' | 'hundred' | 'insert'} [part] of what an overload shows, or of the
 *   changes that are logged
 * @property {boolean} [isHttp2]
 * @property {'halfRequests' | 'unreadLists'} [attack]
 * @property {number} [clients]
 * @property {'requests/s' | 'of the capacity' | 'of the responses without them' | 'rejections' | 'ms' | 'µs' | 's' | 'MB' | 'kB' | '%'} unit
 * @property {number} orders or custom domains
 * @property {string[]} [needs] programs that the other rows do without
 * @property {Request} [request]
 * @property {number} [lasts] how many times as long as others, since a response takes long
 * @property {boolean} [isGrowth] shown in the chart
 * @property {Entry[]} entries
 * @property {Target[]} targets
 */

/** @type {Row[]} */
export const rows = [...requestRows, ...overloadRows, ...processRows, ...domainRows, ...postgresRows]
