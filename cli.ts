#!/usr/bin/env node
// store-orders serve | keys | migrate | import | domains | mcp: arguments in, one call out.
import process from 'node:process'

const usage = `Usage:
  store-orders serve                        run the server
  store-orders keys new NAME [--read-only] [--expires 90d]
                                            create an API key in the file at API_KEYS_FILE and print it, once
  store-orders keys list                    list the keys of the file
  store-orders keys rotate NAME [--grace 7d] [--expires 90d]
                                            replace a key and print the new one; the old one is valid for 7 days, or
                                            no longer with --grace 0
  store-orders keys revoke NAME             delete a key
  store-orders migrate [--check] [--grant ROLE]
                                            bring the database at DATABASE_URL to this version, or only check it;
                                            give a role what a server needs
  store-orders import FILE [--replace]      add the orders of a file to the database, all or none; or put them in the
                                            place of all others
  store-orders domains list                 list the domains of a running server and their states
  store-orders domains add DOMAIN [--pair to-www|from-www]
                                            add a domain and print the DNS record to create; with --pair, add an apex
                                            and its www name, and redirect one to the other
  store-orders domains verify DOMAIN...     check the records and wait until the domains are live
  store-orders domains primary DOMAIN       make a domain the primary one
  store-orders domains redirect DOMAIN [--status 301|302|307|308] [--off]
                                            redirect a domain to the primary one, or stop it with --off
  store-orders domains reissue DOMAIN       order a new certificate, although the present one is current
  store-orders domains remove DOMAIN [--revoke REASON]
                                            stop serving a domain; revoke its certificate, for example as
                                            cessationOfOperation or keyCompromise
  store-orders domains webhook test         send a message to DOMAINS_WEBHOOK_URL and print the answer
  store-orders domains import               copy the domains of DATA_DIR and DOMAINS_FILE, while no server uses them,
                                            to the database at DATABASE_URL, all or none
  store-orders mcp                          serve agents on stdin and stdout (Model Context Protocol): search orders,
                                            cancel one

The domains commands other than webhook and import call the server at HOST and PORT with the first
key of DASHBOARD_KEYS. The command mcp calls the API at STORE_ORDERS_URL with STORE_ORDERS_KEY.
`

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A reader that closes the pipe early, like head(1), is not an error.
  if (code !== 'EPIPE') process.stderr.write(`store-orders: stdout cannot be written (${code})\n`)
  process.exit(1)
})

const [command, ...args] = process.argv.slice(2)
if (command === 'serve') {
  await import('./server.ts')
} else if (command === 'keys') {
  const { keysCommand } = await import('./cli/keys.ts')
  process.exitCode = await keysCommand(args, usage)
} else if (command === 'migrate') {
  const { migrateCommand } = await import('./cli/migrate.ts')
  process.exitCode = await migrateCommand(args)
} else if (command === 'import') {
  const { importCommand } = await import('./cli/import.ts')
  process.exitCode = await importCommand(args, usage)
} else if (command === 'domains') {
  const { domainsCommand } = await import('./cli/domains.ts')
  process.exitCode = await domainsCommand(args, usage)
} else if (command === 'mcp') {
  const { mcpCommand } = await import('./cli/mcp.ts')
  process.exitCode = mcpCommand(args)
} else {
  const isAsked = command === undefined || command === 'help' || command === '--help'
  process[isAsked ? 'stdout' : 'stderr'].write(usage)
  process.exitCode = isAsked ? 0 : 1
}
