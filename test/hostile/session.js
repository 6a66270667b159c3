// Plays connections against one server, judges them, and tracks the orders.
import { judge } from './judge.js'
import { orderModel } from './model.js'
import { requestsOf } from './plan.js'
import { play } from './play.js'

/** @typedef {ReturnType<typeof newSession>} Session */

/** Each takes as long as its silence. */
const OPEN_LIMIT = 50
/** After this many consecutive connections without an expected byte, the server counts as gone. */
const SILENT_LIMIT = 500

/**
 * @param {object} options
 * @param {number} options.port
 * @param {import('./orders.js').Orders} options.orders
 * @param {import('./report.js').Report} options.report
 * @param {boolean} [options.isRelaxed] any status below 500 is allowed, and orders are not tracked
 */
export function newSession({ port, orders, report, isRelaxed = false }) {
  const model = orderModel(orders)
  /** @type {Map<bigint, number[]>} the connections that named an order */
  const touched = new Map()
  const counts = { connections: 0, requests: 0, responses: 0, lost: 0, open: 0 }
  let silent = 0

  return {
    counts,
    model,
    /** @param {number} number @param {import('./types.js').Script} script */
    async run(number, script) {
      const received = await play(script, port)
      const { problems, outcomes, responses, isLost } = judge(script, received, { isRelaxed })
      counts.connections++
      counts.requests += requestsOf(script)
      counts.responses += responses
      counts.open += received.ended === 'deadline' ? 1 : 0
      counts.lost += isLost ? 1 : 0
      if (!isRelaxed) {
        problems.push(...outcomes.flatMap((outcome) => model.follow(outcome) ?? []))
        for (const order of script.touches) touched.set(order, [...(touched.get(order) ?? []), number])
      }
      if (problems.length > 0) report.connection(number, script, received, problems)
      silent = problems.length > 0 && received.bytes.length === 0 ? silent + 1 : 0
      if (silent > SILENT_LIMIT) throw new Error(`given up: ${SILENT_LIMIT} connections without a response`)
      if (counts.open > OPEN_LIMIT) throw new Error(`given up: more than ${OPEN_LIMIT} connections stay open`)
    },
    /** Compares the list with the model. @param {string} json */
    compare(json) {
      for (const { message, order } of model.compare(json)) {
        const by = order === undefined ? [] : (touched.get(order) ?? [])
        report.general('orders', [`${message}; named by connections ${by.slice(-5).join(', ') || 'none'}`])
      }
    },
  }
}
