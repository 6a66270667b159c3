// All that keeps a document from starting, at once.
import { type Document, modelOf, type Operation } from '../model/index.ts'
import { compileOperation } from './compile-operation.ts'
import { requestError } from './input.ts'
import { requireDistinct } from './routes.ts'
import { type Rule, RuleError, requireReadable } from './tolerate.ts'

export interface Problems {
  /** What is not supported, a line each. */
  problems: string[]
  /** The rules that the document breaks, each with the lines that say where. */
  broken: Map<Rule, string[]>
}

/** As if every operation had a handler, and every security scheme a guard. */
export function problemsOf(document: Document): Problems {
  const found: Problems = { problems: [], broken: new Map() }
  if (!collect(found, (tolerate) => requireReadable(document, tolerate))) return found
  const { operations } = modelOf(document)
  collect(found, () => requireDistinct(operations))
  for (const operation of operations) checkOperation(document, operation, found)
  return found
}

/** Tolerates one rule after another. @returns whether it then ends without an error */
function collect({ problems, broken }: Problems, check: (tolerate: readonly Rule[]) => void): boolean {
  const tolerate: Rule[] = []
  for (;;) {
    try {
      check(tolerate)
      return true
    } catch (error) {
      if (!(error instanceof RuleError)) {
        problems.push((error as Error).message)
        return false
      }
      tolerate.push(error.rule)
      broken.set(error.rule, [...(broken.get(error.rule) ?? []), error.problem])
    }
  }
}

function checkOperation(document: Document, operation: Operation, found: Problems): void {
  const model = modelOf(document)
  const guards = Object.fromEntries([...model.securitySchemes.keys()].map((name) => [name, () => []]))
  /* c8 ignore next -- no request is read */
  const contentOf = () => undefined
  collect(found, (tolerate) => {
    compileOperation(operation, model, { guards, senders: [], contentOf, errorOf: requestError, tolerate })
  })
}
