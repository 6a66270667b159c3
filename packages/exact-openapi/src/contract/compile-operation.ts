import type { Model, Operation } from '../model/index.ts'
import { compilerOf } from './checks/compiler.ts'
import { type ReaderOptions, readerOf } from './request/input.ts'
import { checkOf, type Sender } from './response/output.ts'
import { type Guards, guardsOf } from './security.ts'
import { requireSupported } from './supported.ts'
import { RuleError, type Tolerate } from './tolerate.ts'

interface Surroundings extends ReaderOptions {
  guards: Guards
  senders: readonly Sender[]
  tolerate: Tolerate
}

/**
 * What a route needs of the contract.
 * @returns undefined for an operation that no request can reach, if that is tolerated
 * @throws naming the operation and what is not supported; a RuleError for what may be tolerated
 */
export function compileOperation(operation: Operation, model: Model, surroundings: Surroundings) {
  const { senders, tolerate } = surroundings
  try {
    const onRequest = guardsOf(operation, model, surroundings)
    if (!requireSupported(operation, model, tolerate)) return undefined
    const read = readerOf(operation, compilerOf(model, 'request', tolerate), surroundings)
    const check = checkOf(operation, (direction) => compilerOf(model, direction, tolerate), senders)
    return { onRequest, read, check }
  } catch (error) {
    const message = `${operation.id}: ${(error as Error).message}`
    throw error instanceof RuleError ? error.within(operation.id) : new Error(message, { cause: error })
  }
}
