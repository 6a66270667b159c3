// What became of a request to cancel an order, for metrics and traces.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CancelOutcome } from '../store/order-store.ts'

/** An operation's response, as its handler returned it. */
export type ReplyWithOutput = FastifyReply & { output?: { status: number; body?: unknown } }

/** The compiler asks for the code of each outcome: without it, the metrics would miss one. */
const codes: Record<Exclude<CancelOutcome, 'cancelled'>, string> = {
  not_found: 'order_not_found',
  already_cancelled: 'order_already_cancelled',
  already_shipped: 'order_already_shipped',
}
const byErrorCode = new Map(Object.entries(codes).map(([outcome, code]) => [code, outcome as CancelOutcome]))

/** Undefined if the request did not reach the handler of a cancellation. */
export function cancelOutcome(
  { operation }: Pick<FastifyRequest['routeOptions']['config'], 'operation'>,
  { output }: ReplyWithOutput,
): CancelOutcome | undefined {
  if (!output || operation?.operationId !== 'cancelOrder') return undefined
  return output.status === 204 ? 'cancelled' : byErrorCode.get((output.body as { code: string }).code)
}
