// Installs the packed packages and the packed server as documented. Calls the server through each client, and serves a
// listener with the engine of custom domains:
// node test/deploy/install.js FOLDER-OF-THE-TARBALLS
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'

const tarballs = resolve(process.argv[2] ?? '.')

const client = folder('client')
writeFileSync(join(client, 'package.json'), '{"type":"module"}')
run(client, 'npm', 'install', ...quiet(), tarball(/^store-orders-client-/))

const engine = folder('engine')
writeFileSync(join(engine, 'package.json'), '{"type":"module"}')
run(engine, 'npm', 'install', ...quiet(), tarball(/^http-edge-/), tarball(/^custom-domains-/))
const unserved = `
  import { customDomains, fileStorage } from 'custom-domains'
  const authorities = [{ directoryUrl: 'https://ca.example/directory' }]
  const domains = await customDomains({ storage: fileStorage('data'), target: 'cname.platform.example', authorities })
  const { http } = await domains.listen(() => {}, { http: 0, https: 0, host: '127.0.0.1' })
  const { record } = await domains.add('docs.customer.example')
  console.log(process.version, record.type, (await fetch('http://127.0.0.1:' + http)).status, 'from custom-domains')
  await domains.close()`
console.log(run(engine, 'node', '--input-type=module', '--eval', unserved).trim())

const server = folder('server')
run(server, 'tar', '-xzf', tarball(/^store-orders-\d/), '--strip-components=1')
run(server, 'npm', 'ci', '--omit=dev', ...quiet()) // by npm-shrinkwrap.json, whose versions are the tested ones
if (existsSync(join(server, 'node_modules/tap'))) throw new Error('development dependencies are installed')

const key = 'test-key'
const serving = spawn('node', ['dist/cli/index.js', 'serve'], {
  cwd: server,
  env: { PATH: process.env.PATH, PORT: '0', API_KEYS: `tests:${key}` },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  let log = ''
  for await (const text of serving.stdout.setEncoding('utf8')) {
    log += text
    const origin = /API at (\S+)\/v1/.exec(log)?.[1]
    if (!origin) continue
    list(client, 'store-orders-client', origin)
    break
  }
  if (!log.includes('API at')) throw new Error(`the server did not start: ${log}`)
} finally {
  serving.kill()
}

function quiet() {
  return ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier']
}

/** @param {string} name */
function folder(name) {
  const path = join(tarballs, process.version, name)
  mkdirSync(path, { recursive: true })
  return path
}

/** @param {RegExp} pattern */
function tarball(pattern) {
  return join(tarballs, readdirSync(tarballs).find((file) => pattern.test(file)) ?? 'missing.tgz')
}

/**
 * @param {string} consumer
 * @param {string} name of the module
 * @param {string} origin
 */
function list(consumer, name, origin) {
  const program = `
    import { createClient } from '${name}'
    const client = createClient({ baseUrl: '${origin}/v1', apiKey: '${key}' })
    console.log(process.version, (await client.listOrders()).length, 'orders through ${name}')`
  console.log(run(consumer, 'node', '--input-type=module', '--eval', program).trim())
}

/**
 * Prints nothing and fails on warnings, except npm's about unknown settings, which come from the machine.
 * @param {string} cwd
 * @param {string} command
 * @param {string[]} args
 */
function run(cwd, command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  const warnings = stderr.split('\n').filter((line) => line && !/^npm warn Unknown \w+ config/.test(line))
  if (status !== 0 || warnings.length > 0) throw new Error(`${command} on Node.js ${process.version}: ${stderr}`)
  return stdout
}
