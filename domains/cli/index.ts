// The page "Project settings / Domains" as commands: the same operations, sent to a running server.
import { type Command, Option } from 'commander'
import type { Output } from './commands.ts'

export function addDomainsCommands(program: Command, env: NodeJS.ProcessEnv, output: Output): void {
  const domains = program
    .command('domains')
    .description('manage the custom domains of the documentation')
    .addHelpText(
      'after',
      '\nExcept for webhook, rehearse and import, these call the server at HOST and\nPORT with the first key of DASHBOARD_KEYS.',
    )
  const send = async (...params: unknown[]) => {
    const command = params.at(-1) as Command
    const [{ commands }, { connect }] = await Promise.all([import('./commands.ts'), import('./connect.ts')])
    const { args } = command
    const context = { ...command.opts(), client: connect(env), domain: String(args[0]), domains: args, ...output }
    await commands[command.name() as keyof typeof commands](context)
  }

  domains.command('list').description('list the domains and their states').option('--json', 'as JSON').action(send)
  domains
    .command('add <domain>')
    .description('add a domain and print the DNS record to create')
    .addOption(
      new Option('--pair <direction>', 'add an apex and its www name, and redirect one to the other, or both').choices([
        'to-www',
        'from-www',
        'to-primary',
      ]),
    )
    .action(send)
  domains
    .command('verify <domains...>')
    .description('check the records and wait until the domains are live')
    .action(send)
  domains.command('primary <domain>').description('make a domain the primary one').action(send)
  domains
    .command('redirect <domain>')
    .description('redirect a domain to the primary one')
    .addOption(new Option('--status <status>', 'of the redirect (default: 301)').choices(['301', '302', '307', '308']))
    .option('--off', 'stop redirecting')
    .action(send)
  domains.command('reissue <domain>').description('order a new certificate before the current one is due').action(send)
  domains
    .command('remove <domain>')
    .description('stop serving a domain')
    .option('--revoke <reason>', 'revoke its certificate, such as keyCompromise or cessationOfOperation')
    .action(send)
  domains
    .command('webhook')
    .description('test the webhook')
    .command('test')
    .description('send a message to DOMAINS_WEBHOOK_URL and print the response')
    .action(async () => (await import('./webhook.ts')).testWebhook(env, output))
  domains
    .command('rehearse')
    .description('tell which domains would expire if something happened, and how many orders that takes')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nRuns the schedule of the server, in virtual time, on a copy of what is stored:\nas it is; with the authority away for five days; with another authority; with\nevery certificate revoked within a day; and with PLATFORM_CNAME_TARGET renamed.\nNothing is sent or changed, and the server may run meanwhile.',
    )
    .action(async (options) => (await import('./rehearse.ts')).rehearseDomains(options, env, output))
  domains
    .command('import')
    .description('copy the domains of DATA_DIR and DOMAINS_FILE to the database at DATABASE_URL in one transaction')
    .addHelpText('after', '\nNo server may use them meanwhile.')
    .action(async () => (await import('./import.ts')).importDomains(env, output))
}
