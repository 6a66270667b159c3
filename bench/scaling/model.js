// What a number of orders, instances and requests needs, computed from measured constants.

/**
 * @typedef {{ server: number, database: number }} Cost CPU in µs, of the instances and of PostgreSQL
 *
 * @typedef {object} Constants
 * @property {number} bytesPerOrder in the list
 * @property {number} gzipRatio
 * @property {number} idlePerSecond CPU in µs of an instance without requests
 * @property {Cost} unchanged a GET that gets 304, nothing having changed
 * @property {Cost} cancel
 * @property {Cost} changed a GET that gets 304, and an order has changed since the last one of the instance
 * @property {Cost} perChange each further order
 * @property {number} perListMegabyte CPU in µs of an instance
 * @property {Cost} coldPerOrder the first list of an instance
 * @property {number} memoryBase MB
 * @property {number} memoryPerOrder bytes
 *
 * @typedef {object} Load a second
 * @property {number} orders
 * @property {number} instances
 * @property {number} requests
 * @property {number} cancels the share of the requests
 * @property {number} lists the share of the GETs that get the whole list, compressed
 */

/** As the log stores it, with its index. */
const LOG_BYTES = 170 + 40
const LOG_SECONDS = 20 * 60
const POOL_SIZE = 10

/** @param {Cost} cost @param {number} times @returns {Cost} */
const times = ({ server, database }, times) => ({ server: server * times, database: database * times })
/** @param {Cost[]} costs @returns {Cost} */
const sum = (...costs) => ({
  server: costs.reduce((total, { server }) => total + server, 0),
  database: costs.reduce((total, { database }) => total + database, 0),
})

/**
 * One cancellation, then GETs at each instance in turn, one request at a time: each instance reads the change once.
 * @param {Constants} constants @param {{ gets: number, instances: number }} mix
 */
export function cpuOfMix({ unchanged, changed, cancel }, { gets, instances }) {
  const changes = Math.min(gets, instances)
  return sum(cancel, times(changed, changes), times(unchanged, gets - changes))
}

/** @param {Constants} constants @param {Load} load */
export function needsOf(constants, { orders, instances, requests, cancels, lists }) {
  const { unchanged, changed, perChange, cancel } = constants
  const cancelled = requests * cancels
  const gets = requests - cancelled
  // Requests that arrive together share a check, so that this is the most that it can cost.
  const reads = Math.min(gets, instances * Math.min(cancelled, gets / instances))
  const perRead = reads === 0 ? 0 : (instances * cancelled) / reads
  const megabytes = (orders * constants.bytesPerOrder * constants.gzipRatio * gets * lists) / 1e6
  const cpu = sum(
    times(cancel, cancelled),
    times(changed, reads),
    times(perChange, reads * Math.max(0, perRead - 1)),
    times(unchanged, gets - reads),
    { server: megabytes * constants.perListMegabyte + instances * constants.idlePerSecond, database: 0 },
  )
  return {
    /** Of all instances together, and of the primary. */
    serverCores: cpu.server / 1e6,
    databaseCores: cpu.database / 1e6,
    listMegabytes: (orders * constants.bytesPerOrder) / 1e6,
    networkMegabytes: megabytes,
    memoryMegabytes: constants.memoryBase + (orders * constants.memoryPerOrder) / 1e6,
    coldSeconds: (orders * Math.max(constants.coldPerOrder.server, constants.coldPerOrder.database)) / 1e6,
    logMegabytes: (cancelled * LOG_SECONDS * LOG_BYTES) / 1e6,
    connections: instances * POOL_SIZE,
  }
}
