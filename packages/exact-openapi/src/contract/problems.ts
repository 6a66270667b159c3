// All that keeps a document from starting, at once.
import { type Document, modelOf, type Operation, requireValid } from '../model/index.ts'
import { compileOperation } from './compile-operation.ts'
import { requestError } from './input.ts'
import { requireDistinct } from './routes.ts'
import { type Rule, RuleError } from './tolerate.ts'

export interface Problems {
  /** What is not supported, a line each. */
  problems: string[]
  /** The rules that the document breaks, each with the lines that say where. */
  broken: Map<Rule, string[]>
}

/** As if every operation had a handler, and every security scheme a guard. */
export function problemsOf(document: Document): Problems {
  const found: Problems = { problems: [], broken: new Map() }
  const note = (check: () => void) => {
    try {
      check()
      return true
    } catch (error) {
      found.problems.push((error as Error).message)
      return false
    }
  }
  if (!note(() => requireValid(document))) return found
  const { operations } = modelOf(document)
  note(() => requireDistinct(operations))
  for (const operation of operations) checkOperation(document, operation, found)
  return found
}

/** Tolerates one rule after another. */
function checkOperation(document: Document, operation: Operation, { problems, broken }: Problems): void {
  const model = modelOf(document)
  const guards = Object.fromEntries([...model.securitySchemes.keys()].map((name) => [name, () => []]))
  /* c8 ignore next -- no request is read */
  const contentOf = () => undefined
  const tolerate: Rule[] = []
  for (;;) {
    try {
      compileOperation(operation, model, { guards, senders: [], contentOf, errorOf: requestError, tolerate })
      return
    } catch (error) {
      if (!(error instanceof RuleError)) {
        problems.push((error as Error).message)
        return
      }
      tolerate.push(error.rule)
      broken.set(error.rule, [...(broken.get(error.rule) ?? []), error.problem])
    }
  }
}
