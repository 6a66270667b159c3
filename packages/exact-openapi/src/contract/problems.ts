// All that keeps a document from starting, at once.
import { type Document, findingsOf, modelOf, type Operation } from '../model/index.ts'
import { compileOperation } from './compile-operation.ts'
import { requestError } from './errors.ts'
import { requireDistinct } from './routes.ts'
import { type Rule, RuleError } from './tolerate.ts'

export interface Problems {
  /** What is not supported, a line each. */
  problems: string[]
  /** The rules that the document breaks, each with the lines that say where. */
  broken: Map<Rule, string[]>
  /** What has no effect, a line each: it keeps nothing from starting. */
  idle: string[]
}

/** As if every operation had a handler, and every security scheme a guard. */
export function problemsOf(document: Document): Problems {
  const found: Problems = { problems: [], broken: new Map(), idle: [] }
  if (!collect(found, () => findAll(document, found))) return found
  const { problems } = found
  const isReadable = collect({ ...found, problems: problems.length > 0 ? [] : problems }, () => modelOf(document))
  if (!isReadable) return found
  const { operations } = modelOf(document)
  collect(found, () => requireDistinct(operations))
  for (const operation of operations) checkOperation(document, operation, found)
  return found
}

/** @throws for a version that cannot be read */
function findAll(document: Document, { problems, broken, idle }: Problems): void {
  const of = (wanted: string) =>
    findingsOf(document)
      .filter(({ kind }) => kind === wanted)
      .map(({ message }) => message)
  problems.push(...of('wrong'))
  idle.push(...of('idle'))
  const odd = of('odd')
  if (odd.length > 0) broken.set('odd-part', odd)
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
    compileOperation(operation, model, { guards, senders: [], contentOf, errorOf: requestError, tolerate, streams: [] })
  })
}
