// Plays connections against one server, judges them, and tracks the orders.
import { judge } from './judge.ts'
import { orderModel } from './model.ts'
import { requestsOf } from './plan.ts'
import { play } from './play.ts'
import type { Report } from './report.ts'
import type { Orders, Script } from './types.ts'

export type Session = ReturnType<typeof newSession>

/** Each takes as long as its silence. */
const OPEN_LIMIT = 50
/** After this many consecutive connections without an expected byte, the server counts as gone. */
const SILENT_LIMIT = 500

interface Options {
  port: number
  orders: Orders
  report: Report
  isRelaxed?: boolean
}

export function newSession({ port, orders, report, isRelaxed = false }: Options) {
  const model = orderModel(orders)
  /** The connections that named an order */
  const touched: Map<bigint, number[]> = new Map()
  const counts = { connections: 0, requests: 0, responses: 0, lost: 0, open: 0 }
  let silent = 0

  return {
    counts,
    model,
    async run(number: number, script: Script) {
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
    /** Compares the list with the model. */
    compare(json: string) {
      for (const { message, order } of model.compare(json)) {
        const by = order === undefined ? [] : (touched.get(order) ?? [])
        report.general('orders', [`${message}; named by connections ${by.slice(-5).join(', ') || 'none'}`])
      }
    },
  }
}
