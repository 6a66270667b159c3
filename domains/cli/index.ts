// The page "Project settings / Domains" as commands: the same operations, sent to a running server.
import process from 'node:process'
import { parseArgs } from 'node:util'
import createClient from 'openapi-fetch'
import { loadConnection } from '../../config/environment.ts'
import type { paths } from '../api/dashboard.d.ts'
import { type Client, commands } from './commands.ts'
import { testWebhook } from './webhook.ts'

/** The part of `process` that the commands use. */
interface Terminal {
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  env: NodeJS.ProcessEnv
  exitCode?: number | string | undefined
}

/** The options of each command. */
const takes: Record<string, readonly string[]> = {
  list: ['json'],
  add: ['pair'],
  verify: [],
  primary: [],
  redirect: ['status', 'off'],
  reissue: [],
  remove: ['revoke'],
  webhook: [],
  import: [],
}

export async function domainsCommand(args: string[], usage: string, terminal: Terminal = process): Promise<void> {
  const { stdout, stderr, env } = terminal
  const say = (lines: string[], last = '') => {
    stdout.write(`${[...lines, ...(last ? ['', last] : [])].join('\n')}\n`)
  }
  const fail = () => {
    terminal.exitCode = 1
  }
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      pair: { type: 'string' },
      status: { type: 'string' },
      off: { type: 'boolean', default: false },
      revoke: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const [name = '', ...domains] = positionals
  const taken = Object.hasOwn(takes, name) && takes[name]
  for (const [option, value] of Object.entries(values)) {
    if (taken && value !== false && !taken.includes(option))
      throw new Error(`domains ${name} has no option --${option}`)
  }
  if (positionals.join(' ') === 'webhook test') return testWebhook(env, { say, fail })
  if (positionals.join(' ') === 'import') {
    const { importDomains } = await import('./import.ts')
    return importDomains(env, { say })
  }
  const command = Object.hasOwn(commands, name) && commands[name]
  const maxDomains = { list: 0, verify: domains.length }[name] ?? 1
  if (command && domains.length > maxDomains) throw new Error(`unexpected argument "${domains[maxDomains]}"`)
  if (!command || (domains.length === 0) !== (name === 'list')) {
    stderr.write(usage)
    return fail()
  }
  await command({ client: connect(env), domain: String(domains[0]), domains, ...values, say, fail })
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
          `no server responds at ${baseUrl}: check that it is running, and that HOST and PORT are the same`,
          { cause },
        )
      }),
  })
}
