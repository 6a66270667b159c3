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
        pair: { type: 'string' },
        status: { type: 'string', default: '301' },
        off: { type: 'boolean', default: false },
        revoke: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    if (positionals.join(' ') === 'webhook test') return await testWebhook(env, say)
    if (positionals.join(' ') === 'import') {
      const { importDomains } = await import('./import.ts')
      return await importDomains(env, say)
    }
    const [name = '', ...domains] = positionals
    const command = Object.hasOwn(commands, name) && commands[name]
    const most = { list: 0, verify: domains.length }[name] ?? 1
    if (command && domains.length > most) throw new Error(`unexpected argument "${domains[most]}"`)
    if (!command || (domains.length === 0) !== (name === 'list')) {
      stderr.write(usage)
      return 1
    }
    return await command({ client: connect(env), domain: String(domains[0]), domains, ...values, say })
  } catch (error) {
    stderr.write(`store-orders: ${(error as Error).message}\n`)
    return 1
  }
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
