// All that keeps a document from starting, at once.
import { type Document, findingsOf } from '../model/index.ts'
import { compileOperation } from './compile-operation.ts'
import { costOf } from './costs.ts'
import { requestError } from './errors.ts'
import { duplicatesIn } from './routes.ts'
import { requireCompilable, unsupportedIn } from './supported.ts'
import { type Rule, RuleError, readableModel, type Tolerate } from './tolerate.ts'

export interface Problems {
  /** What is not supported, a line each. */
  problems: readonly string[]
  /** The rules that the document breaks, each with the lines that say where. */
  broken: ReadonlyMap<Rule, readonly string[]>
  /** What has no effect, a line each: it keeps nothing from starting. */
  idle: readonly string[]
  /** What only the size of a request limits, a line for each operation. */
  costs: readonly string[]
}

/** As if every operation had a handler, and every security scheme a guard. */
export function problemsOf(document: Document): Problems {
  const problems = new Set<string>()
  const broken = new Map<Rule, string[]>()
  const idle: string[] = []
  const costs: string[] = []
  try {
    collect(document, {
      problem: (text) => problems.add(text),
      idle: (text) => idle.push(text),
      cost: (text) => costs.push(text),
      broken: (rule, texts) => {
        if (texts.length > 0) broken.set(rule, [...new Set([...(broken.get(rule) ?? []), ...texts])])
      },
    })
  } catch (error) {
    if (problems.size === 0) problems.add((error as Error).message)
  }
  return { problems: [...problems], broken, idle, costs }
}

interface Report {
  problem(text: string): void
  idle(text: string): void
  cost(text: string): void
  broken: Tolerate
}

/** @throws for a document that cannot be read */
function collect(document: Document, report: Report): void {
  for (const { kind, message } of findingsOf(document)) {
    if (kind === 'idle') report.idle(message)
    else if (kind === 'wrong') report.problem(message)
    else report.broken(kind, [message])
  }
  const model = readableModel(document)
  requireCompilable(model)
  const guards = Object.fromEntries([...model.securitySchemes.keys()].map((name) => [name, () => []]))
  /* c8 ignore next -- no request is read */
  const contentOf = () => undefined
  let id = ''
  const tolerate: Tolerate = (rule, problems) => report.broken(rule, new RuleError(rule, problems).within(id).problems)
  const surroundings = { guards, senders: [], contentOf, errorOf: requestError, tolerate, streams: [] }
  for (const text of duplicatesIn(model.operations)) report.problem(text)
  for (const operation of model.operations) {
    id = operation.id
    for (const text of unsupportedIn(operation, model)) report.problem(`${id}: ${text}`)
    const cost = costOf(operation)
    if (cost) report.cost(`${id}: ${cost}`)
    try {
      compileOperation(operation, model, surroundings)
    } catch (error) {
      report.problem((error as Error).message)
    }
  }
}
