// The page "Project settings / Domains" as commands: the same operations, sent to a running server.
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import createClient from 'openapi-fetch'
import { loadConnection } from '../config/environment.ts'
import { hostOf } from '../domains/state/host.ts'
import type { components, paths } from '../spec/dashboard.d.ts'

type Domain = components['schemas']['Domain']
type Result<Data> = { data?: Data; error?: components['schemas']['Error']; response: Response }
type Client = ReturnType<typeof createClient<paths>>

const POLL_MS = 500
const inProgress = ['verifying', 'verified', 'issuing']

/** The part of `process` that commands use. */
export interface Terminal {
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  env: NodeJS.ProcessEnv
}

/** @returns the exit code */
export async function domainsCommand(args: string[], usage: string, terminal: Terminal = process): Promise<number> {
  const { stdout, stderr, env } = terminal
  const say = (lines: string[], last = '') => {
    stdout.write(`${[...lines, ...(last ? ['', last] : [])].join('\n')}\n`)
  }
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        status: { type: 'string', default: '301' },
        off: { type: 'boolean', default: false },
        revoke: { type: 'string' },
      },
    })
    const [name = '', domain, ...others] = positionals
    const command = Object.hasOwn(commands, name) && commands[name]
    if (!command || others.length > 0 || (domain === undefined) !== (name === 'list')) {
      stderr.write(usage)
      return 1
    }
    return await command({ client: connect(env), domain: domain ?? '', ...values, say })
  } catch (error) {
    stderr.write(`store-orders: ${(error as Error).message}\n`)
    return 1
  }
}

interface Context {
  client: Client
  domain: string
  status: string
  off: boolean
  /** The reason for which the certificate is to be revoked. */
  revoke?: string
  /** Prints the lines, then an empty line and `last`, if any. */
  say(lines: string[], last?: string): void
}

const commands: Record<string, (context: Context) => Promise<number>> = {
  async list({ client, say }) {
    const { domains, platform, unsaved } = unwrap(await client.GET('/domains'))
    const notice = unsaved === undefined ? [] : [`Nothing can be changed at present: ${unsaved}.`]
    say([...domains.map(lineOf), ...notice], `The documentation is always served at ${platform.domain}.`)
    return 0
  },
  async add({ client, domain, say }) {
    const added = unwrap(await client.POST('/domains', { body: { domain } }))
    const { type, name, value, ttl, note } = added.record
    say(
      [`Added ${added.domain}. Create this DNS record, then verify:`, '', `  ${type}  ${name}  ${value}  TTL ${ttl}`],
      note,
    )
    return 0
  },
  async verify(context) {
    const params = { path: { domain: context.domain } }
    return follow(unwrap(await context.client.POST('/domains/{domain}/verify', { params })), context)
  },
  async reissue({ client, domain, say }) {
    const params = { path: { domain } }
    const { domain: host } = unwrap(await client.POST('/domains/{domain}/reissue', { params }))
    say([`A new certificate is being ordered for ${host}. "store-orders domains list" shows the outcome.`])
    return 0
  },
  async primary({ client, domain, say }) {
    say([lineOf(unwrap(await client.PUT('/primary', { body: { domain } })))])
    return 0
  },
  async redirect({ client, domain, status, off, say }) {
    const path = '/domains/{domain}/redirect'
    const params = { path: { domain } }
    const body = { status: Number(status) as 301 }
    const response = off ? await client.DELETE(path, { params }) : await client.PUT(path, { params, body })
    say([lineOf(unwrap(response))])
    return 0
  },
  async remove({ client, domain, revoke, say }) {
    const params = { path: { domain } }
    const { domains } = unwrap(await client.GET('/domains'))
    const known = domains.find((one) => one.domain === hostOf(domain))
    if (revoke === undefined) unwrap(await client.DELETE('/domains/{domain}', { params }))
    else unwrap(await client.POST('/domains/{domain}/revoke', { params, body: { reason: revoke as 'unspecified' } }))
    const revoked = revoke === undefined ? '' : ' Its certificate has been revoked.'
    const { type, name, value } = known?.record ?? {}
    const record = known ? ` Delete its DNS record: ${type}  ${name}  ${value}` : ''
    say([`Removed ${known?.domain ?? domain}: it is no longer served.${revoked}${record}`])
    return 0
  },
}

/** Prints each state of an attempt until it ends. */
async function follow(begun: Domain, { client, say }: Context): Promise<number> {
  let seen = begun
  let last = ''
  for (;;) {
    if (seen.summary !== last) say([seen.summary])
    last = seen.summary
    if (!inProgress.includes(seen.state)) break
    await sleep(POLL_MS)
    seen = find(unwrap(await client.GET('/domains')).domains, begun.domain)
  }
  if (!seen.problem) return 0
  say(seen.problem.steps.map((step) => `- ${step}`))
  return 1
}

function connect(env: NodeJS.ProcessEnv): Client {
  const { host, port, key } = loadConnection(env)
  if (key === undefined) throw new Error('DASHBOARD_KEYS must contain a key of the server, as name:key')
  const baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}/dashboard/v1`
  return createClient<paths>({
    baseUrl,
    headers: { authorization: `Bearer ${key}` },
    fetch: (request) =>
      fetch(request).catch((cause) => {
        throw new Error(
          `no server answers at ${baseUrl}: check that it is running, and that HOST and PORT are the same`,
          { cause },
        )
      }),
  })
}

/** @throws with the message of an Error body, or with the status when a proxy has responded instead */
function unwrap<Data>({ data, error, response }: Result<Data>): Data {
  if (!response.ok) throw new Error(error?.message ?? `the server responded with status ${response.status}`)
  return data as Data
}

function find(domains: Domain[], host: string): Domain {
  const found = domains.find(({ domain }) => domain === host)
  if (!found) throw new Error(`${host} has not been added`)
  return found
}

function lineOf({ domain, isPrimary, redirect, state, summary }: Domain): string {
  const verb = redirect?.isActive ? 'redirects' : 'will redirect'
  const marks = [isPrimary && 'primary', redirect && `${verb} to ${redirect.to} with ${redirect.status}`].filter(
    Boolean,
  )
  return `${domain}  ${[state, ...marks].join(', ')}: ${summary}`
}
