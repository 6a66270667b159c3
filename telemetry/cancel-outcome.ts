// What became of a request to cancel an order, for metrics and traces.
import type { FastifyReply } from 'fastify'
import type { ErrorCode } from '../spec/errors.ts'
import type { CancelOutcome } from '../store/order-store.ts'
import { isOperation, type OperationConfig } from './operation.ts'

/** An operation's response, as its handler returned it. */
export type ReplyWithOutput = FastifyReply & { output?: { status: number; body?: unknown } }

/** The compiler asks for the code of each outcome: without it, the metrics would miss one. */
const codes: Record<Exclude<CancelOutcome, 'cancelled'>, ErrorCode> = {
  not_found: 'order_not_found',
  already_cancelled: 'order_already_cancelled',
  already_shipped: 'order_already_shipped',
}
const byErrorCode = new Map(Object.entries(codes).map(([outcome, code]) => [code, outcome as CancelOutcome]))

/** Undefined if the request did not reach the handler of a cancellation. */
export function cancelOutcome(config: OperationConfig, { output }: ReplyWithOutput): CancelOutcome | undefined {
  if (!output || !isOperation(config, 'cancelOrder')) return undefined
  return output.status === 204 ? 'cancelled' : byErrorCode.get((output.body as { code: ErrorCode }).code)
}
