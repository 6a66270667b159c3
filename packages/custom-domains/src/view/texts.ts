// What the texts for problems share.
import type { DomainName, Problem } from '../state/domain.ts'
import type { RequiredRecord } from './types.ts'

/** The domain with the problem, and the record that it requires. */
export interface Subject {
  name: DomainName
  record: RequiredRecord
}

export interface Texts<P extends Problem> {
  message(problem: P, name: DomainName): string
  /** What the user does. */
  steps?(problem: P, subject: Subject): string[]
  /** What else there is to know. */
  notes?(problem: P, subject: Subject): string[]
}

export type TextsOf<Code extends Problem['code']> = {
  readonly [Each in Code]: Texts<Extract<Problem, { code: Each }>>
}

export const patience = 'DNS changes can take up to 48 hours.'
export const forOperator = "The platform's operator must fix this. Your DNS records can stay as they are."
export const notYours = 'This is a failure of DNS servers, not of your records: they can stay as they are.'
