// The outcome of a cancellation, for metrics and traces.
import type { FastifyReply } from 'fastify'
import { cancelErrors } from '../handlers/cancelOrder.ts'
import type { ErrorCode } from '../spec/errors.ts'
import type { CancelOutcome } from '../store/order-store.ts'
import { isOperation, type OperationConfig } from './operation.ts'

const byErrorCode = new Map<ErrorCode, CancelOutcome>(
  Object.entries(cancelErrors).map(([outcome, code]) => [code, outcome as CancelOutcome]),
)

/** Undefined if the request did not reach the handler of a cancellation. */
export function cancelOutcome(config: OperationConfig, { output }: FastifyReply): CancelOutcome | undefined {
  if (!output || !isOperation(config, 'cancelOrder')) return undefined
  return output.status === 204 ? 'cancelled' : byErrorCode.get((output.body as { code: ErrorCode }).code)
}
