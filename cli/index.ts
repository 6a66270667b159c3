#!/usr/bin/env node
// store-orders serve | keys | migrate | import | domains | mcp: arguments in, one call out.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { loadDocument } from '../spec/document.ts'

const usage = `Usage:
  store-orders serve                        run the server
  store-orders keys new NAME [--read-only] [--expires 90d]
                                            create an API key in the file at API_KEYS_FILE and print it, once
  store-orders keys list [--json]           list the keys of the file
  store-orders keys rotate NAME [--grace 7d] [--expires 90d]
                                            replace a key and print the new one; the old one is valid for 7 days, or
                                            no longer with --grace 0
  store-orders keys revoke NAME             delete a key
  store-orders migrate [--check] [--grant ROLE]
                                            bring the database at DATABASE_URL to this version, or only check it;
                                            give a role what a server needs
  store-orders import FILE [--replace]      add the orders of a file to the database, all or none; or put them in the
                                            place of all others
  store-orders domains list [--json]        list the domains of a running server and their states
  store-orders domains add DOMAIN [--pair to-www|from-www]
                                            add a domain and print the DNS record to create; with --pair, add an apex
                                            and its www name, and redirect one to the other
  store-orders domains verify DOMAIN...     check the records and wait until the domains are live
  store-orders domains primary DOMAIN       make a domain the primary one
  store-orders domains redirect DOMAIN [--status 301|302|307|308] [--off]
                                            redirect a domain to the primary one, or stop it with --off
  store-orders domains reissue DOMAIN       order a new certificate before the current one is due
  store-orders domains remove DOMAIN [--revoke REASON]
                                            stop serving a domain; revoke its certificate, for example as
                                            cessationOfOperation or keyCompromise
  store-orders domains webhook test         send a message to DOMAINS_WEBHOOK_URL and print the response
  store-orders domains import               copy the domains of DATA_DIR and DOMAINS_FILE, while no server uses them,
                                            to the database at DATABASE_URL, all or none
  store-orders mcp                          serve agents on stdin and stdout (Model Context Protocol): search orders,
                                            cancel one

  store-orders COMMAND --help               describe a command
  store-orders --version                    print the version

The domains commands other than webhook and import call the server at HOST and PORT with the first
key of DASHBOARD_KEYS. The command mcp calls the API at STORE_ORDERS_URL with STORE_ORDERS_KEY.
The exit code is 0 if the command succeeded; otherwise it is 1, and stderr says why.
`

const commands: Record<string, (args: string[], usage: string) => Promise<void>> = {
  async serve(args) {
    parseArgs({ args })
    await import('../server.ts')
  },
  keys: async (args) => (await import('./keys.ts')).keysCommand(args),
  migrate: async (args) => (await import('./migrate.ts')).migrateCommand(args),
  import: async (args) => (await import('./import.ts')).importCommand(args),
  domains: async (args, usage) => (await import('../domains/cli/index.ts')).domainsCommand(args, usage),
  mcp: async (args) => (await import('./mcp/index.ts')).mcpCommand(args),
}

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A reader such as head(1) may close the pipe early.
  if (code !== 'EPIPE') process.stderr.write(`store-orders: cannot write to stdout (${code})\n`)
  process.exit(1)
})

/** The part of the usage that describes one command. */
function usageOf(command: string): string {
  const entries = usage.split(/^(?= {2}store-orders |\n)/m)
  return `Usage:\n${entries.filter((entry) => entry.startsWith(`  store-orders ${command} `)).join('')}`
}

async function run([name = '--help', ...args]: string[]): Promise<void> {
  const isHelp = (arg: string) => ['help', '--help', '-h'].includes(arg)
  const command = Object.hasOwn(commands, name) && commands[name]
  if (command && args.some(isHelp)) process.stdout.write(usageOf(name))
  else if (command) return command(args, usageOf(name))
  else if (isHelp(name)) process.stdout.write(usage)
  else if (name === '--version') process.stdout.write(`${loadDocument().info.version}\n`)
  else throw new Error(`unknown command "${name}"; store-orders --help lists the commands`)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`store-orders: ${(error as Error).message}\n`)
  process.exitCode = 1
}
