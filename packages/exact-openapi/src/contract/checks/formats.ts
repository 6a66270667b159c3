// Formats of strings that ajv-formats lacks, or reads otherwise than their RFCs.
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isPattern } from '../../model/index.ts'

/** RFC 4648, section 4: with padding, and without line breaks. */
const base64 = /^(?:[\da-z+/]{4})*(?:[\da-z+/]{2}==|[\da-z+/]{3}=)?$/i

const { date } = fullFormats as unknown as { date: { validate(text: string): boolean } }
const { email, ipv4, ipv6 } = fullFormats as Record<'email' | 'ipv4' | 'ipv6', RegExp>
const uri = fullFormats.uri as (text: string) => boolean
const uriReference = fullFormats['uri-reference'] as RegExp

/** RFC 3339, section 5.6. */
const time = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-]\d\d):(\d\d))$/i

function isTime(text: string): boolean {
  const [hour = 24, minute = 0, second = 0, zone = 0, zoneMinute = 0] = (time.exec(text) ?? []).slice(1).map(numberOf)
  if (hour > 23 || minute > 59 || Math.abs(zone) > 23 || zoneMinute > 59) return false
  const sign = Object.is(zone, -0) || zone < 0 ? -1 : 1
  const ofDay = (hour - zone) * 60 + minute - sign * zoneMinute
  return second < 60 || (second === 60 && (ofDay + 2 * DAY) % DAY === DAY - 1) // a leap second
}

const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits))

/** In minutes. */
const DAY = 1440

/** RFC 5321, section 4.1.2. */
const quoted = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  const [, address] = /^\[(?:IPv6:)?(.*)\]$/i.exec(domain) ?? []
  const isAddress = address !== undefined && (domain.includes('IPv6:') ? ipv6 : ipv4).test(address)
  return email.test(`${quoted.test(local) ? 'quoted' : local}@${isAddress ? 'example.com' : domain}`)
}

/** RFC 3986, section 3.2: two slashes begin an authority, whose colons are of its user or before its port. */
const authority = /^[^:/?#]+:(?!\/\/(?!(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^:/?#@[\]]*)(?::\d*)?(?:[/?#]|$)))/
const isUri = (text: string) => authority.test(text) && uri(text)

/** RFC 3987, section 3.1: an IRI is a URI once its characters beyond ASCII are encoded. */
const encoded = (text: string) => text.replaceAll(/[^\0-\x7f]+/gu, encodeURIComponent)

/** The encoding throws for half of a surrogate pair. */
const isWhole = (text: string) => !/\p{Surrogate}/u.test(text)

export const formats: Record<string, (text: string) => boolean> = {
  byte: (text) => base64.test(text),
  'date-time': (text) => /^.{10}[t ]/i.test(text) && date.validate(text.slice(0, 10)) && isTime(text.slice(11)),
  email: isEmail,
  'idn-email': (text) => isEmail(text.replaceAll(/[^\0-\x7f]/gu, 'a')),
  iri: (text) => isWhole(text) && isUri(encoded(text)),
  'iri-reference': (text) => isWhole(text) && uriReference.test(encoded(text)),
  regex: isPattern,
  time: isTime,
  uri: isUri,
}
