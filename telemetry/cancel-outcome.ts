// What became of a request to cancel an order, for metrics and traces.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CancelOutcome } from '../store/order-store.ts'

/** An operation's response, as its handler returned it. */
export type ReplyWithOutput = FastifyReply & { output?: { status: number; body?: unknown } }

const byErrorCode: Record<string, CancelOutcome> = {
  order_not_found: 'not_found',
  order_already_cancelled: 'already_cancelled',
  order_already_shipped: 'already_shipped',
}

/** Undefined if the request did not reach the handler of a cancellation. */
export function cancelOutcome(
  { operation }: Pick<FastifyRequest['routeOptions']['config'], 'operation'>,
  { output }: ReplyWithOutput,
): CancelOutcome | undefined {
  if (!output || operation?.operationId !== 'cancelOrder') return undefined
  return output.status === 204 ? 'cancelled' : byErrorCode[(output.body as { code: string }).code]
}
