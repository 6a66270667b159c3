// What there is to say about a problem: facts for programs, and texts for users.
import type { DnsRecord, DomainName } from '../domain-name.ts'
import type { RequiredRecord } from './required-record.ts'

/** The domain with the problem, and the record that it requires. */
export interface Subject {
  name: DomainName
  record: RequiredRecord
}

/** @typeParam Fields what is known of one occurrence */
export interface Definition<Fields> {
  /** What the checks found wrong, in their order: the DNS record, the CAA records, or the certificate. */
  about: 'dns' | 'caa' | 'certificate'
  /** Often ends before the next attempt, so it is reported once several attempts have failed. */
  isTransient?: true
  /** A resolver has no answer, right or wrong. */
  isUnresolved?: true
  /** Another authority may issue in spite of it. One that is busy may still complete the pending order. */
  authority?: 'busy' | 'refuses'
  /** For the documentation. */
  cause: string
  /** The records that were found instead of the right one. */
  records?(problem: Fields): DnsRecord[]
  message(problem: Fields, name: DomainName): string
  /** What the user does. */
  steps?(problem: Fields, subject: Subject): string[]
  /** What else there is to know. */
  notes?(problem: Fields, subject: Subject): string[]
}

export function problem<Fields>(definition: Definition<Fields>): Definition<Fields> {
  return definition
}

export const patience = 'DNS changes can take up to 48 hours.'
export const forOperator = "The platform's operator must fix this. Your DNS records can stay as they are."
export const notYours = 'This is a failure of DNS servers, not of your records: they can stay as they are.'

export const list = (words: readonly string[]) => new Intl.ListFormat('en').format(words)

export const dnssecStep = (zone: string) =>
  `Check DNSSEC for ${zone}: the DS record at the registrar must belong to a key of the zone, or be deleted.`
