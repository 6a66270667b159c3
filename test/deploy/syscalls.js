// Checks that the server runs under the permission model of deploy/, and that the systemd unit allows all of its system
// calls: systemd would kill it for any other. Run: node test/deploy/syscalls.js
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { domainsEnv } from '../domains/environment.js'

const unit = readFileSync('deploy/store-orders.service', 'utf8')
const allowed = new Set()
for (const [, not, names = ''] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
  for (const call of names.split(' ').flatMap(expand)) not ? allowed.delete(call) : allowed.add(call)
}

const folder = mkdtempSync(join(tmpdir(), 'store-orders-syscalls-'))
try {
  const trace = join(folder, 'trace')
  const made = await record(trace)
  const rejected = [...made].filter((call) => !allowed.has(call))
  console.log(`Node.js ${process.version}: ${made.size} system calls, ${rejected.length} of them not allowed`)
  if (made.size < 30) throw new Error('strace recorded too little')
  if (rejected.length > 0) throw new Error(`deploy/store-orders.service does not allow ${rejected.join(', ')}`)
} finally {
  rmSync(folder, { recursive: true })
}

/**
 * The system calls of a set such as `@system-service`, nested sets included; a call is a set of its own.
 * @param {string} name
 * @returns {string[]}
 */
function expand(name) {
  if (!name.startsWith('@')) return [name]
  const listed = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager', name], { encoding: 'utf8' })
  const members = listed.split(/\s*\n\s*/).slice(1)
  return members.filter((member) => member && !member.startsWith('#')).flatMap(expand)
}

/**
 * The options of Node's permission model, for this folder and that of the data.
 * @returns {string[]}
 */
function permissions() {
  const paths = { '/opt/store-orders/': `${process.cwd()}/`, '/var/lib/store-orders/': `${folder}/` }
  let [, options = ''] = /^ExecStart=\S+ (--.*) dist/m.exec(readFileSync('deploy/permission-model.conf', 'utf8')) ?? []
  for (const [installed, here] of Object.entries(paths)) options = options.replaceAll(installed, here)
  const major = Number.parseInt(process.versions.node, 10)
  if (major < 24) options = options.replace('--permission', '--experimental-permission')
  if (major > 24) options += ' --allow-net'
  return options.split(' ')
}

/**
 * Starts the server with keys, custom domains, metrics and a log, sends it a request, and stops it.
 * @param {string} trace
 */
async function record(trace) {
  const command = [process.execPath, ...permissions(), 'dist/cli/index.js', 'serve']
  const own = { PATH: process.env.PATH, PORT: '0', METRICS_PORT: '0', API_KEYS: 'tests:test-key', DATA_DIR: folder }
  const server = spawn('strace', ['-f', '-qq', '-o', trace, ...command], {
    env: { ...own, ...domainsEnv },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'close')
  let log = ''
  let pid = 0
  for await (const text of server.stdout.setEncoding('utf8')) {
    log += text
    const origin = /API at (\S+)\/v1/.exec(log)?.[1]
    if (pid || !origin || !log.includes('domains at ports')) continue
    await fetch(`${origin}/v1/store/orders`, { headers: { authorization: 'Bearer test-key' } })
    pid = Number(/"pid":(\d+)/.exec(log)?.[1])
    process.kill(pid, 'SIGTERM')
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`the server ended with ${code}: ${log}`)
  const lines = readFileSync(trace, 'utf8').split('\n')
  return new Set(lines.flatMap((line) => /^\d+ +(\w+)\(/.exec(line)?.[1] ?? []))
}
