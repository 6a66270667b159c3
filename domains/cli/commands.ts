// The commands for domains, by name: one or more operations each, and what they print.
import { setTimeout as sleep } from 'node:timers/promises'
import type createClient from 'openapi-fetch'
import type { components, paths } from '../api/dashboard.d.ts'

type Domain = components['schemas']['Domain']
type Platform = components['schemas']['Domains']['platform']
type Result<Data> = { data?: Data; error?: components['schemas']['Error']; response: Response }
export type Client = ReturnType<typeof createClient<paths>>

const POLL_MS = 500
const inProgress = ['verifying', 'verified', 'issuing']

/** The output of a command. */
export interface Output {
  /** Prints the lines, then an empty line and `last`, if any. */
  say(lines: string[], last?: string): void
  /** Makes the exit code 1. An error that is thrown does so as well, and is printed. */
  fail(): void
}

export interface Context extends Output {
  client: Client
  domain: string
  /** The arguments of a command that takes several. */
  domains: string[]
  /** The direction in which an apex and its www name redirect: `to-www` or `from-www`. */
  pair?: string
  status?: string
  off?: boolean
  json?: boolean
  /** The reason for which the certificate is to be revoked. */
  revoke?: string
}

export const commands = {
  async list({ client, json, say }) {
    const { domains, ...listed } = await listAll(client)
    const { platform, unsaved, rewound } = listed
    if (json) {
      say([JSON.stringify({ ...listed, domains })])
      return
    }
    const notice = unsaved === undefined ? [] : [`Changes cannot be saved at the moment: ${unsaved}.`]
    if (rewound)
      notice.push(`The storage lost its latest changes at ${rewound.at}. As before: ${rewound.domains.join(', ')}.`)
    say(
      [...domains.map(lineOf), ...platformNotice(platform), ...notice],
      `The documentation is always served at ${platform.domain}.`,
    )
  },
  async add({ client, domain, pair, say }) {
    const body = { domain, ...(pair !== undefined && { pair: pair as 'to-www' }) }
    const added = unwrap(await client.POST('/domains', { body }))
    if (pair === undefined) {
      say([`Added ${added.domain}. Create this DNS record, then verify:`, '', recordOf(added)], added.record.note)
      return
    }
    const counterpart = await find(client, String(added.counterpart))
    const both = added.redirect ? [counterpart, added] : [added, counterpart]
    const redirects = both
      .filter(({ redirect }) => redirect)
      .map((domain) => `${domain.domain} ${marksOf(domain).join()}`)
    say(
      [
        `Added ${added.domain} with ${added.counterpart}: ${redirects.join('; ')}.`,
        'Create these DNS records, then verify:',
        '',
        ...both.map(recordOf),
      ],
      both.map(({ record }) => record.note).join(''),
    )
  },
  async verify(context) {
    const begun: Domain[] = []
    for (const domain of context.domains) {
      begun.push(unwrap(await context.client.POST('/domains/{domain}/verify', pathTo(domain))))
    }
    for (const domain of begun) await printProgress(domain, context)
  },
  async reissue({ client, domain, say }) {
    const { domain: host } = unwrap(await client.POST('/domains/{domain}/reissue', pathTo(domain)))
    say([`A new certificate is being ordered for ${host}. "store-orders domains list" shows the outcome.`])
  },
  async primary({ client, domain, say }) {
    say([lineOf(unwrap(await client.PUT('/primary', { body: { domain } })))])
  },
  async redirect({ client, domain, status = '301', off, say }) {
    const path = '/domains/{domain}/redirect'
    const request = { ...pathTo(domain), body: { status: Number(status) as 301 } }
    say([lineOf(unwrap(off ? await client.DELETE(path, pathTo(domain)) : await client.PUT(path, request)))])
  },
  async remove({ client, domain, revoke, say }) {
    const { data: listed } = await client.GET('/domains/{domain}', pathTo(domain))
    const request = { ...pathTo(domain), body: { reason: revoke as 'unspecified' } }
    if (revoke === undefined) unwrap(await client.DELETE('/domains/{domain}', pathTo(domain)))
    else unwrap(await client.POST('/domains/{domain}/revoke', request))
    const revoked = revoke === undefined ? '' : ' Its certificate has been revoked.'
    const { type, name, value } = listed?.record ?? {}
    const record = listed ? ` Delete its DNS record: ${type}  ${name}  ${value}` : ''
    say([`Removed ${listed?.domain ?? domain}: it is no longer served.${revoked}${record}`])
  },
} satisfies Record<string, (context: Context) => Promise<void>>

const pathTo = (domain: string) => ({ params: { path: { domain } } })

/** Prints each state of an attempt until it ends. */
async function printProgress(begun: Domain, { client, domains, say, fail }: Context): Promise<void> {
  const name = domains.length > 1 ? `${begun.domain}: ` : ''
  let seen = begun
  let last = ''
  for (;;) {
    if (seen.summary !== last) say([`${name}${seen.summary}`])
    last = seen.summary
    if (!inProgress.includes(seen.state)) break
    await sleep(POLL_MS)
    seen = await find(client, begun.domain)
  }
  if (!seen.problem) return
  const { steps, notes } = seen.problem
  say([...steps.map((step) => `- ${step}`), ...notes.filter((note) => !last.includes(note))])
  fail()
}

/** @throws with the message of an Error body, or with the status when a proxy has responded instead */
function unwrap<Data>({ data, error, response }: Result<Data>): Data {
  if (!response.ok) throw new Error(error?.message ?? `the server responded with status ${response.status}`)
  return data as Data
}

async function find(client: Client, domain: string): Promise<Domain> {
  return unwrap(await client.GET('/domains/{domain}', pathTo(domain)))
}

const PAGE = 1_000

/** All pages of the list, as one. */
async function listAll(client: Client): Promise<components['schemas']['Domains']> {
  const page = async (offset: number) =>
    unwrap(await client.GET('/domains', { params: { query: { limit: PAGE, offset } } }))
  const list = await page(0)
  let { length } = list.domains
  // The list may become shorter between two pages.
  while (length > 0 && list.domains.length < list.count) {
    const { domains } = await page(list.domains.length)
    list.domains.push(...domains)
    length = domains.length
  }
  return list
}

function lineOf(domain: Domain): string {
  return `${domain.domain}  ${[domain.state, ...marksOf(domain)].join(', ')}: ${domain.summary}`
}

function marksOf({ isPrimary, redirect }: Domain): string[] {
  const verb = redirect?.isActive ? 'redirects' : 'will redirect'
  return [...(isPrimary ? ['primary'] : []), ...(redirect ? [`${verb} to ${redirect.to} with ${redirect.status}`] : [])]
}

function recordOf({ record: { type, name, value, ttl } }: Domain): string {
  return `  ${type}  ${name}  ${value}  TTL ${ttl}`
}

/** A line where the platform's own domain has a problem. */
function platformNotice({ domain, certificate, problem }: Platform): string[] {
  return problem ? [`${domain} has ${certificate ? 'a problem' : 'no certificate yet'}: ${problem.message}`] : []
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
