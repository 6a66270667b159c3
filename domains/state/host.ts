// A domain as users write it, in the form in which it is stored.
import { domainToASCII } from 'node:url'

/** Lower-case ASCII without a trailing dot; empty if it cannot be a domain. */
export function hostOf(typed: string): string {
  return domainToASCII(typed.trim()).replace(/\.$/, '')
}
