#!/usr/bin/env node
// store-orders serve | domains: arguments in, one call out.
import process from 'node:process'

const usage = `Usage:
  store-orders serve                        runs the server
  store-orders domains list                 the domains of a running server, and where they stand
  store-orders domains add DOMAIN           adds a domain, and says which DNS record to make
  store-orders domains verify DOMAIN        checks the record, and waits until the domain is live
  store-orders domains primary DOMAIN       makes a domain the primary one
  store-orders domains redirect DOMAIN [--status 301|302|307|308] [--off]
                                            redirects a domain to the primary one, or no longer
  store-orders domains remove DOMAIN        stops serving a domain

The commands for domains ask the server at HOST and PORT, with the first key of DASHBOARD_KEYS.
`

const [command, ...args] = process.argv.slice(2)
if (command === 'serve') {
  await import('./server.ts')
} else if (command === 'domains') {
  const { domainsCommand } = await import('./cli/domains.ts')
  process.exitCode = await domainsCommand(args, usage)
} else {
  const isAsked = command === undefined || command === 'help' || command === '--help'
  process[isAsked ? 'stdout' : 'stderr'].write(usage)
  process.exitCode = isAsked ? 0 : 1
}
