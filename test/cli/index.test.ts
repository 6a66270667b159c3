import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { moduleOf, start, stop } from '../fixtures/process.ts'
import { runCommand } from './command.ts'

const skip = existsSync('/dev/full') ? false : 'this system has no /dev/full'

const commands = ['serve', 'check', 'keys', 'migrate', 'import', 'domains', 'mcp']

const helpOf = async (command: string) => (await runCommand([command, '--help'])).stdout

/** The commands that the help of another one lists. */
function words(help: string, command: string) {
  const [, list = ''] = help.split('Commands:\n')
  return [...list.matchAll(/^ {2}(?!help )(\w+) /gm)].map(([, word]) => [command, String(word)])
}

async function run(t: Test, args: string[], env: Record<string, string> = {}) {
  const { ended, stdout, stderr } = start(t, 'cli/index', args, env)
  return { code: await ended, stdout: stdout(), stderr: stderr() }
}

t.test('the help and the version are printed on request', async (t) => {
  const help = await run(t, ['--help'])
  t.match(help, { code: 0, stdout: /^Usage: store-orders \[options\] \[command\]\n/, stderr: '' })
  for (const command of commands) t.match(help.stdout, new RegExp(`^  ${command} `, 'm'))
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  t.strictSame(await run(t, ['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
})

t.test('a command that needs another word shows its help on stderr', async (t) => {
  for (const args of [[], ['keys'], ['domains'], ['domains', 'webhook']]) {
    const usage = `Usage: ${['store-orders', ...args].join(' ')} `
    t.match(await runCommand(args), { code: 2, stdout: '', stderr: new RegExp(`^${usage}`) })
  }
})

t.test('every command describes itself, in lines of at most 80 columns', async (t) => {
  const nested = await Promise.all(['keys', 'domains'].map(async (name) => words(await helpOf(name), name)))
  for (const args of [...commands.map((name) => [name]), ...nested.flat()]) {
    const { code, stdout, stderr } = await runCommand([...args, '--help'])
    t.strictSame({ code, stderr }, { code: 0, stderr: '' }, args.join(' '))
    t.match(stdout, new RegExp(`^Usage: store-orders ${args.join(' ')} `))
    t.notMatch(stdout, /.{81}/)
  }
})

t.test('what is not understood is named, with the nearest command or option', async (t) => {
  for (const [args, message] of Object.entries({
    serves: "unknown command 'serves'\n(Did you mean serve?)",
    toString: "unknown command 'toString'",
    'serve --port 14999': "unknown option '--port'",
    'serve extra': "too many arguments for 'serve'. Expected 0 arguments but got 1.",
    import: "missing required argument 'file'",
    'keys new shop --expire 90d': "unknown option '--expire'\n(Did you mean --expires?)",
    'domains ad': "unknown command 'ad'\n(Did you mean add?)",
  })) {
    const stderr = `store-orders: ${message}\n--help describes the command.\n`
    t.strictSame(await runCommand(args.split(' ')), { code: 2, stdout: '', stderr }, args)
  }
})

t.test('a full stdout is reported in one line, a closed one is not', { skip }, async (t) => {
  const full = openSync('/dev/full', 'w')
  t.teardown(() => closeSync(full))
  const help = start(t, 'cli/index', ['--help'], {}, { stdio: ['ignore', full, 'pipe'] })
  t.equal(await help.ended, 1)
  t.equal(help.stderr(), 'store-orders: cannot write to stdout (ENOSPC)\n')

  const preload = moduleOf('await new Promise((resolve) => process.stdin.once("end", resolve).resume())')
  const unread = start(t, 'cli/index', ['--help'], {}, { preload })
  unread.child.stdout?.destroy()
  unread.child.stdin?.end()
  t.equal(await unread.ended, 1)
  t.equal(unread.stderr(), '')
})

t.test('serve runs the server', async (t) => {
  const server = start(t, 'cli/index', ['serve'], { PORT: '0', API_KEYS: 'tests:test-key' })
  const [, origin] = await server.printed(/API at (\S+)\/v1/)
  t.equal((await fetch(`${origin}/v1/store/orders`)).status, 401)
  await stop(t, server)
})
