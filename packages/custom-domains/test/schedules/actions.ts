// What happens in a schedule, at random: what users do at an instance, kills, time, a full disk, and what DNS and the
// authority respond.
import fc from 'fast-check'
import { DAY, HOUR, MINUTE, SECOND } from '../fixtures/clock.ts'
import type { Answer } from './authority.ts'

/** What a user does at an instance. */
export interface Operation {
  kind: 'publish' | 'verify' | 'reissue' | 'remove' | 'revoke' | 'setRole' | 'setRedirect' | 'removeRedirect'
  host: string
  at: number
}

export type Action =
  | Operation
  /** The process of an instance ends, and another one starts; or its leases end, because it is late. */
  | { kind: 'kill'; at: number }
  | { kind: 'lapse'; at: number }
  | { kind: 'pass'; ms: number }
  | { kind: 'dns'; host: string; isRight: boolean }
  /** The record is wrong for longer than retries of a first certificate last, and then repaired. */
  | { kind: 'neglect'; host: string }
  | { kind: 'authority'; answer: Answer }
  | { kind: 'disk'; isFull: boolean }
  /** The database loses its latest saves; without a number, it is what it was before the last rewind. */
  | { kind: 'rewind'; lost: number | undefined }
  /** All is right for a tenth of a certificate's life. */
  | { kind: 'calm' }
  /** The authority announces that it will revoke the certificates of a host. */
  | { kind: 'roll'; host: string }

/** An action, and then the tasks that run, each by its place among those that are ready. */
export interface Step {
  action: Action
  tasks: readonly number[]
}

const one = fc.constantFrom
const host = one('a.shop.test', 'shop.test')
const at = one(0, 1, 2)
const operations = one<Operation['kind'][]>('publish', 'publish', 'publish', 'verify', 'reissue', 'remove', 'revoke')
const choices = one<Operation['kind'][]>('setRole', 'setRedirect', 'setRedirect', 'removeRedirect')

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: operations, host, at }) },
  { weight: 2, arbitrary: fc.record({ kind: choices, host, at }) },
  { weight: 3, arbitrary: fc.record({ kind: one('kill', 'kill', 'lapse'), at }) },
  { weight: 2, arbitrary: fc.record({ kind: one('pass'), ms: one(30 * SECOND, 10 * MINUTE, HOUR, DAY, 61 * DAY) }) },
  { weight: 1, arbitrary: fc.record({ kind: one('dns'), host, isRight: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: one('neglect'), host }) },
  { weight: 1, arbitrary: fc.record({ kind: one('authority'), answer: one<Answer[]>('good', 'limited', 'down') }) },
  { weight: 1, arbitrary: fc.record({ kind: one('roll'), host }) },
  { weight: 1, arbitrary: fc.record({ kind: one('calm') }) },
  { weight: 1, arbitrary: fc.record({ kind: one('rewind'), lost: one(1, 2, 3, 5, 8, undefined) }) },
  { weight: 2, arbitrary: fc.record({ kind: one('disk'), isFull: fc.boolean() }) },
)

/** How long certificates are valid: those of today and of the coming years, and short ones. */
export const life = one(90 * DAY, 47 * DAY, 45 * DAY, 6 * DAY)

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ action, tasks: fc.array(fc.nat(9), { maxLength: 40, size: 'max' }) }),
  { minLength: 1, maxLength: 16, size: 'max' },
)
