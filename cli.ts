#!/usr/bin/env node
// store-orders serve | migrate | import | domains: arguments in, one call out.
import process from 'node:process'

const usage = `Usage:
  store-orders serve                        run the server
  store-orders migrate [--check] [--grant ROLE]
                                            bring the database at DATABASE_URL to this version, or only check it;
                                            give a role what a server needs
  store-orders import FILE [--replace]      add the orders of a file to the database, all or none; or put them in the
                                            place of all others
  store-orders domains list                 list the domains of a running server and their states
  store-orders domains add DOMAIN           add a domain and print the DNS record to create
  store-orders domains verify DOMAIN        check the record and wait until the domain is live
  store-orders domains primary DOMAIN       make a domain the primary one
  store-orders domains redirect DOMAIN [--status 301|302|307|308] [--off]
                                            redirect a domain to the primary one, or stop it with --off
  store-orders domains remove DOMAIN        stop serving a domain

The domains commands call the server at HOST and PORT with the first key of DASHBOARD_KEYS.
`

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A reader that closes the pipe early, like head(1), is not an error.
  if (code !== 'EPIPE') process.stderr.write(`store-orders: stdout cannot be written (${code})\n`)
  process.exit(1)
})

const [command, ...args] = process.argv.slice(2)
if (command === 'serve') {
  await import('./server.ts')
} else if (command === 'migrate') {
  const { migrateCommand } = await import('./cli/migrate.ts')
  process.exitCode = await migrateCommand(args)
} else if (command === 'import') {
  const { importCommand } = await import('./cli/import.ts')
  process.exitCode = await importCommand(args, usage)
} else if (command === 'domains') {
  const { domainsCommand } = await import('./cli/domains.ts')
  process.exitCode = await domainsCommand(args, usage)
} else {
  const isAsked = command === undefined || command === 'help' || command === '--help'
  process[isAsked ? 'stdout' : 'stderr'].write(usage)
  process.exitCode = isAsked ? 0 : 1
}
