// The operation of a request. The compiler refuses an identifier that the document does not have.
import type { FastifyRequest } from 'fastify'
import type { operations } from '../spec/openapi.d.ts'

export type OperationConfig = Pick<FastifyRequest['routeOptions']['config'], 'operation'>

export function isOperation({ operation }: OperationConfig, id: keyof operations): boolean {
  return operation?.id === id
}
