// The route, the method and the outcome of a request, as metrics and traces name them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { operations } from '../spec/openapi.d.ts'
import { type CancelOutcome, cancelOutcomes, outcomeCodes } from '../store/order-store.ts'

type RouteConfig = FastifyRequest['routeOptions']['config']

/** OpenTelemetry's `http.route`. */
export const routeOf = ({ template, url = '' }: Partial<Pick<RouteConfig, 'template' | 'url'>>): string =>
  template ?? url.replace(/:(\w+)(\([^/]*\))?/g, '{$1}')

/** The methods of RFC 9110 and RFC 5789, as OpenTelemetry's semantic conventions list them. */
const standardMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])

export function methodOf(method: string): string {
  return standardMethods.has(method) ? method : '_OTHER'
}

const outcomes = new Map<string | null, CancelOutcome>(
  cancelOutcomes.map((outcome) => [outcomeCodes[outcome], outcome]),
)

/** Undefined if the request did not reach the handler of a cancellation. */
export function cancelOutcome({ operation }: RouteConfig, { output }: FastifyReply): CancelOutcome | undefined {
  const cancelOrder: keyof operations = 'cancelOrder'
  if (!output || operation?.id !== cancelOrder) return undefined
  return outcomes.get((output.body as { code: string } | undefined)?.code ?? null)
}
