// Checks the options at once and by name, since a wrong one would otherwise surface as a problem of every domain.
import { isIP } from 'node:net'

const hostPattern = /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z\d-]*[a-z\d]$/i
/** The bounds of the Standard Webhooks specification, in bytes. */
const [SHORTEST_SECRET, LONGEST_SECRET] = [24, 64]

/** As JavaScript passes them. */
interface Unchecked {
  target: unknown
  platform?: unknown
  authorities: unknown
  dnsServers?: readonly unknown[]
  webhook?: { url: unknown; secrets: unknown } | undefined
}

/** @throws a TypeError with a line for each option */
export function checkOptions({ target, platform, authorities, dnsServers = [], webhook }: Unchecked): void {
  const errors: string[] = []

  function check(name: string, value: unknown, isValid: boolean, expected: string) {
    if (!isValid)
      errors.push(`${name} must be ${expected}${value === undefined ? '' : `, not ${JSON.stringify(value)}`}`)
  }
  function checkList(name: string, list: unknown, checkOne: (name: string, value: unknown) => void) {
    if (Array.isArray(list) && list.length > 0)
      for (const [at, value] of list.entries()) checkOne(`${name}[${at}]`, value)
    else errors.push(`${name} must be a list of at least one`)
  }
  const checkHost = (name: string, value: unknown) => check(name, value, isHost(value), 'a domain')

  if (Array.isArray(target)) checkList('target', target, checkHost)
  else checkHost('target', target)
  if (platform) checkHost('platform', platform)
  if (dnsServers.length > 0)
    checkList('dnsServers', dnsServers, (name, value) =>
      check(name, value, isAddress(value), 'an address such as 9.9.9.9, 127.0.0.1:5353 or [::1]:5353'),
    )
  checkList('authorities', authorities, (name, authority) => {
    const { directoryUrl } = { ...(authority as { directoryUrl?: unknown } | null) }
    check(`${name}.directoryUrl`, directoryUrl, isUrl(directoryUrl, ['https:']), 'an https URL')
  })
  if (webhook) {
    check('webhook.url', webhook.url, isUrl(webhook.url, ['https:', 'http:']), 'an https or http URL')
    checkList('webhook.secrets', webhook.secrets, (name, secret) => {
      const isSecret = Buffer.isBuffer(secret) && secret.length >= SHORTEST_SECRET && secret.length <= LONGEST_SECRET
      check(name, undefined, isSecret, `a Buffer of ${SHORTEST_SECRET} to ${LONGEST_SECRET} bytes`) // it is not shown
    })
  }
  if (errors.length > 0) throw new TypeError(errors.join('\n'))
}

function isHost(value: unknown): boolean {
  return typeof value === 'string' && hostPattern.test(value)
}

function isUrl(value: unknown, protocols: readonly string[]): boolean {
  return typeof value === 'string' && URL.canParse(value) && protocols.includes(new URL(value).protocol)
}

/** Node.js ends the process for port 0. */
function isAddress(value: unknown): boolean {
  const [, bracketed, plain, digits = '53'] = /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(String(value)) ?? []
  const port = Number(digits)
  return isIP(bracketed ?? plain ?? String(value)) > 0 && port > 0 && port <= 65_535
}
