// The commands, their arguments and options. Each loads its module only when it runs.
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { modelOf } from 'exact-openapi/model'
import { durations, parseDuration } from '../config/variables/duration.ts'
import { addDomainsCommands } from '../domains/cli/index.ts'
import { loadDocument } from '../spec/document.ts'
import { outputOf, type Terminal } from './terminal.ts'

/** Prints errors and sets the exit code: 1 if the command failed, 2 if it was not understood. */
export async function run(args: readonly string[], terminal: Terminal): Promise<void> {
  try {
    await programFor(terminal).parseAsync(args, { from: 'user' })
  } catch (error) {
    const { message, exitCode } = error as CommanderError
    if (error instanceof CommanderError)
      terminal.exitCode = exitCode && 2 // commander has printed the message
    else {
      terminal.stderr.write(`store-orders: ${message}\n`)
      terminal.exitCode = 1
    }
  }
}

function programFor(terminal: Terminal): Command {
  const { stdout, stderr } = terminal
  const program = new Command('store-orders')
    .version(modelOf(loadDocument()).info.version, '--version', 'print the version')
    .helpOption('-h, --help', 'describe the command')
    .helpCommand('help [command]', 'describe a command')
    .showHelpAfterError('--help describes the command.')
    .addHelpText(
      'after',
      '\nstore-orders COMMAND --help describes a command.\nExit code: 0 success, 1 failure, 2 wrong usage.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error:/, 'store-orders:')),
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    })
  program
    .command('serve')
    .description('run the server')
    .action(async () => (await import('../server.ts')).start())
  program
    .command('check')
    .description('check all that a start depends on, without changing or serving anything')
    .option('--json', 'as JSON')
    .option('--offline', 'without the database')
    .action(async (options) => (await import('./check.ts')).checkCommand(options, terminal))
  addKeysCommands(program, terminal)
  program
    .command('migrate')
    .description('bring the database at DATABASE_URL to this version')
    .option('--check', 'only check it')
    .option('--grant <role>', 'also give a role what a server needs')
    .action(async (options) => (await import('./migrate.ts')).migrateCommand(options, terminal))
  program
    .command('import <file>')
    .description('add the orders of a file to the database at DATABASE_URL in one transaction')
    .option('--replace', 'delete all other orders, in the same transaction')
    .action(async (file, options) => (await import('./import.ts')).importCommand(file, options, terminal))
  program
    .command('export <file>')
    .description(
      'write all orders of the database at DATABASE_URL, with their status, to an .ndjson or .ndjson.gz file',
    )
    .action(async (file) => (await import('./export.ts')).exportCommand(file, terminal))
  addDomainsCommands(program, terminal.env, outputOf(terminal))
  program
    .command('sandbox')
    .description('run a command, such as a contract tester, beside a server of its own, with the orders of ORDERS_FILE')
    .argument('<command...>', 'after --: the command and its arguments')
    .addHelpText(
      'after',
      '\nSets API_KEY, STORE_ORDERS_URL and OPENAPI_URL for the command, and ends with its exit code. The server has\nsample orders without ORDERS_FILE, and reads no other setting of yours.',
    )
    .action(async (command) => (await import('./sandbox.ts')).sandboxCommand(command, terminal))
  program
    .command('mcp')
    .description('serve agents on stdin and stdout (Model Context Protocol): search orders, cancel one')
    .addHelpText('after', '\nCalls the API at STORE_ORDERS_URL with STORE_ORDERS_KEY.')
    .action(async () => (await import('./mcp/index.ts')).mcpCommand(terminal))
  return program
}

function addKeysCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('manage the API keys in the file at API_KEYS_FILE')
  const load = () => import('./keys.ts')
  keys
    .command('new <name>')
    .description('create a key and print it, once')
    .option('--read-only', 'the key can read, but cancel nothing')
    .option('--expires <duration>', 'how long the key is valid, such as 90d', durationFrom(1))
    .action(async (name, options) => (await load()).newKey(name, options, terminal))
  keys
    .command('list')
    .description('list the keys')
    .option('--json', 'as JSON')
    .action(async (options) => (await load()).listKeys(options, terminal))
  keys
    .command('rotate <name>')
    .description('replace a key and print the new one, once')
    .option('--grace <duration>', 'how long the old key stays valid; 0 revokes it (default: 7d)', durationFrom(0))
    .option('--expires <duration>', 'how long the new key is valid, such as 90d', durationFrom(1))
    .action(async (name, options) => (await load()).rotateKey(name, options, terminal))
  keys
    .command('revoke <name>')
    .description('delete a key')
    .action(async (name) => (await load()).revokeKey(name, terminal))
}

/** @param least in milliseconds */
function durationFrom(least: number) {
  return (text: string): number => {
    const duration = parseDuration(text)
    if (duration === undefined || duration < least) throw new InvalidArgumentError(`It must be ${durations}.`)
    return duration
  }
}
