// Rules that a document may break if its author says so.

/** By rule, what happens to what breaks it. */
export const rules = {
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

/** @throws RuleError unless the rule is tolerated */
export function tolerated(tolerate: readonly Rule[], rule: Rule, problem: string): void {
  if (!tolerate.includes(rule)) throw new RuleError(rule, problem)
}
