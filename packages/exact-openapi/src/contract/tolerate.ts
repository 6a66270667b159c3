// Rules that a document may break if its author says so.
import { type Document, findingsOf } from '../model/index.ts'

/** By rule, what happens to what breaks it. */
export const rules = {
  'odd-part': 'what the schema of OpenAPI refuses is read as far as it can be',
  'no-security': 'an operation without security is open to all',
  'wrong-default': 'a default that its schema refuses is not used',
  'odd-pattern': 'a pattern that is no regular expression is not checked',
  'unreachable-path': 'an operation whose path no request can have is left out',
  'other-servers': 'an operation with servers of its own is served with the others',
} as const

export type Rule = keyof typeof rules

export class RuleError extends Error {
  readonly rule: Rule

  readonly problem: string

  /** @param problem what breaks the rule, and what to write instead */
  constructor(rule: Rule, problem: string) {
    super(`${problem}, or tolerate "${rule}"`)
    this.rule = rule
    this.problem = problem
  }

  /** The same, with its place. */
  within(place: string): RuleError {
    return new RuleError(this.rule, `${place}: ${this.problem}`)
  }
}

/**
 * @returns what has no effect
 * @throws with what keeps the document from being read; a RuleError for what may be tolerated
 */
export function requireReadable(document: Document, tolerate: readonly Rule[]): string[] {
  const findings = findingsOf(document)
  for (const { kind, message } of findings) {
    if (kind === 'wrong') throw new Error(message)
    if (kind === 'odd') tolerated(tolerate, 'odd-part', message)
  }
  return findings.flatMap(({ kind, message }) => (kind === 'idle' ? [message] : []))
}

/** @throws RuleError unless the rule is tolerated */
export function tolerated(tolerate: readonly Rule[], rule: Rule, problem: string): void {
  if (!tolerate.includes(rule)) throw new RuleError(rule, problem)
}
