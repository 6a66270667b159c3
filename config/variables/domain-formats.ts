// Formats of the variables that configure custom domains.
import { isIP } from 'node:net'
import { type Format, keys, listOf, matching } from './formats.ts'

const MIN_DASHBOARD_KEY_LENGTH = 32

export const dashboardKeys: Format<{ name: string; key: string }[]> = {
  expected: `${keys.expected}, of ${MIN_DASHBOARD_KEY_LENGTH} characters or more`,
  parse(text) {
    const named = keys.parse(text)
    return named?.every(({ key }) => key.length >= MIN_DASHBOARD_KEY_LENGTH) ? named : undefined
  },
}

export const encryptionKeys: Format<Buffer[]> = {
  expected: 'comma-separated keys of 64 hexadecimal digits',
  parse: listOf((text) => (/^[\da-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined)),
}

export const domain: Format<string> = {
  expected: 'a domain like docs.example.com',
  parse: (text) =>
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/i.test(text) ? text.toLowerCase() : undefined,
}

export const targets: Format<[string, ...string[]]> = {
  expected: 'comma-separated domains, the one that users are shown first',
  parse: (text) => listOf(domain.parse)(text) as [string, ...string[]] | undefined,
}

export const email = matching('an email address', (text) => /^[^\s@]+@[^\s@]+$/.test(text))
export const token = matching('a name of letters, digits, ".", "_" and "-"', (text) => /^[\w.-]+$/.test(text))
export const base64url = matching('base64url text, as the certificate authority shows it', (text) =>
  /^[\w-]+=*$/.test(text),
)
export const httpsUrl = matching(
  'an https address',
  (text) => URL.canParse(text) && new URL(text).protocol === 'https:',
)

export const webhookUrl: Format<string> = {
  expected: 'an https address without a password, or an http address on loopback',
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const isLoopback = url && /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)
    const isAllowed = url?.protocol === 'https:' || (isLoopback && url.protocol === 'http:')
    return url && isAllowed && url.username === '' && url.password === '' ? url.href : undefined
  },
}

/** The bounds of the Standard Webhooks specification. */
const [SHORTEST_SECRET, LONGEST_SECRET] = [24, 64]

export const webhookSecrets: Format<Buffer[]> = {
  expected: `comma-separated secrets like whsec_..., ${SHORTEST_SECRET} to ${LONGEST_SECRET} bytes in base64`,
  parse: listOf((text) => {
    const [, base64 = ''] = /^whsec_([\w+/-]+=*)$/.exec(text) ?? []
    const secret = Buffer.from(base64, 'base64')
    return secret.length >= SHORTEST_SECRET && secret.length <= LONGEST_SECRET ? secret : undefined
  }),
}

export const dnsServers: Format<string[]> = {
  expected: 'comma-separated addresses like 9.9.9.9, 127.0.0.1:5353 or [::1]:5353',
  parse: listOf((text) => {
    const [, bracketed, plain, digits = '53'] = /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
    const port = Number(digits) // Node ends the whole process for port 0
    return isIP(bracketed ?? plain ?? text) && port > 0 && port <= 65535 ? text : undefined
  }),
}
