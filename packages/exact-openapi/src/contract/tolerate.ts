// Rules that a document may break if its author says so.
import { type Document, findingsOf, type Model, modelOf } from '../model/index.ts'

/** By rule, what happens to what breaks it. */
export const rules = {
  'invalid-part': 'what the schema of OpenAPI refuses is read as far as it can be',
  'no-security': 'an operation without security is open to all',
  'wrong-default': 'a default that its schema refuses is not used, and of several for one value the first is',
  'unknown-format': 'a number of a format that is not supported is read as one without a format',
  'invalid-pattern': 'a pattern that is no regular expression is not checked',
  'unreachable-path': 'an operation whose path no request can have is left out',
  'other-servers': 'an operation with servers of its own is served with the others',
} as const

export type Rule = keyof typeof rules

export class RuleError extends Error {
  readonly rule: Rule

  readonly problems: readonly string[]

  /** @param problems what breaks the rule, and what to write instead */
  constructor(rule: Rule, problems: readonly string[]) {
    super(`${problems[0]}, or tolerate "${rule}"`)
    this.rule = rule
    this.problems = problems
  }

  /** The same, with the operation: that of a component has its place already. */
  within(operation: string): RuleError {
    const problems = this.problems.map((problem) =>
      problem.startsWith('components ') ? problem : `${operation}: ${problem}`,
    )
    return new RuleError(this.rule, problems)
  }
}

/** Called with what breaks a rule, if anything does. */
export type Tolerate = (rule: Rule, problems: readonly string[]) => void

/** Throws a RuleError for other rules. @param broken gets those that something breaks */
export function tolerating(rules: readonly Rule[], broken = new Set<Rule>()): Tolerate {
  return (rule, problems) => {
    if (problems.length === 0) return
    if (!rules.includes(rule)) throw new RuleError(rule, problems)
    broken.add(rule)
  }
}

/** @returns what has no effect @throws with what keeps the document from being read */
export function requireReadable(document: Document, tolerate: Tolerate): string[] {
  const findings = findingsOf(document)
  for (const { kind, message } of findings) {
    if (kind === 'wrong') throw new Error(message)
    if (kind !== 'idle') tolerate(kind, [message])
  }
  return findings.flatMap(({ kind, message }) => (kind === 'idle' ? [message] : []))
}

/** @throws with the first odd part, if one cannot be read although that is tolerated */
export function readableModel(document: Document): Model {
  try {
    return modelOf(document)
  } catch (error) {
    const odd = findingsOf(document).find(({ kind }) => kind === 'invalid-part')
    throw odd && error instanceof TypeError ? new Error(odd.message, { cause: error }) : error
  }
}
