// What there is to say about a problem: facts for programs, and texts for users.
import type { DnsRecord, DomainName } from '../domain-name.ts'
import type { RequiredRecord } from './required-record.ts'

/** The domain with the problem, and the record that it requires. */
export interface Subject {
  name: DomainName
  record: RequiredRecord
}

/** Who can act: the user, the platform's operator, or only the authority, a registry or time. */
export type Addressee = 'user' | 'operator' | 'authority'

/** Where that depends on what is known. */
export interface Addressees<Fields> {
  among: readonly Addressee[]
  of(problem: Fields, subject: Subject): Addressee
}

/** @typeParam Fields what is known of one occurrence */
export interface Definition<Fields> {
  /** What the checks found wrong, in their order: the DNS record, the CAA records, or the certificate. */
  about: 'dns' | 'caa' | 'certificate'
  /** Only this one is given something to do. */
  addressee: Addressee | Addressees<Fields>
  /** Often ends before the next attempt, so it is reported once several attempts have failed. */
  isTransient?: true
  /** A resolver has no answer, right or wrong. */
  isUnresolved?: true
  /** Nothing is wrong yet: perhaps the record only needs time. */
  isPending?(problem: Fields): boolean
  /** Another authority may issue in spite of it. One that is busy may still complete the pending order. */
  authority?: 'busy' | 'refuses'
  /** What the documentation says of it. */
  cause: string
  /** The records that were found instead of the right one, if any. */
  records?(problem: Fields): DnsRecord[]
  message(problem: Fields, name: DomainName): string
  /** What the addressee does, if it is the user. */
  steps?(problem: Fields, subject: Subject): string[]
  /** What else there is to know. */
  notes?(problem: Fields, subject: Subject): string[]
}

export function problem<Fields>(definition: Definition<Fields>): Definition<Fields> {
  return definition
}

export function addresseeOf<Fields>({ addressee }: Definition<Fields>, problem: Fields, subject: Subject): Addressee {
  return typeof addressee === 'string' ? addressee : addressee.of(problem, subject)
}

/** What users who are not the addressee read. */
export const reassurances: Readonly<Record<Addressee, string | undefined>> = {
  user: undefined,
  operator: "The platform's operator must fix this. Your DNS records can stay as they are.",
  authority: 'No action is needed: this ends by itself. Your DNS records can stay as they are.',
}

export const patience = 'DNS changes can take up to 48 hours.'

export const list = (words: readonly string[]) => new Intl.ListFormat('en').format(words)

export const dnssecStep = (zone: string) =>
  `Check DNSSEC for ${zone}: the DS record at the registrar must belong to a key of the zone, or be deleted.`
