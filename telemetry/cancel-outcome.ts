// The outcome of a cancellation, for metrics and traces.
import type { FastifyReply } from 'fastify'
import { type CancelOutcome, cancelOutcomes } from '../store/order-store.ts'
import { isOperation, type OperationConfig } from './operation.ts'

const outcomes = new Map<string, CancelOutcome>(cancelOutcomes.map((outcome) => [`order_${outcome}`, outcome]))

/** Undefined if the request did not reach the handler of a cancellation. */
export function cancelOutcome(config: OperationConfig, { output }: FastifyReply): CancelOutcome | undefined {
  if (!output || !isOperation(config, 'cancelOrder')) return undefined
  return output.status === 204 ? 'cancelled' : outcomes.get((output.body as { code: string }).code)
}
