// The server runs under the permission model of deploy/, and the systemd unit allows all of its system calls: systemd would
// kill it for any other.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import t from 'tap'
import { headers, startWithDomains } from '../fixtures/process.ts'

/** The system calls of a set such as `@system-service`, nested sets included; a call is a set of its own. */
function expand(name: string): string[] {
  if (!name.startsWith('@')) return [name]
  const listed = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager', name], { encoding: 'utf8' })
  const members = listed.split(/\s*\n\s*/).slice(1)
  return members.filter((member) => member && !member.startsWith('#')).flatMap(expand)
}

/** The options of Node's permission model, for this folder and that of the data. */
function permissions(folder: string) {
  const paths = { '/opt/store-orders/': `${process.cwd()}/`, '/var/lib/store-orders/': `${folder}/` }
  let [, options = ''] = /^ExecStart=\S+ (--.*) dist/m.exec(readFileSync('deploy/permission-model.conf', 'utf8')) ?? []
  for (const [installed, here] of Object.entries(paths)) options = options.replaceAll(installed, here)
  const major = Number.parseInt(process.versions.node, 10)
  if (major < 24) options = options.replace('--permission', '--experimental-permission')
  return major > 24 ? `${options} --allow-net` : options
}

t.test(
  'the systemd unit allows every system call of a server with keys, custom domains, metrics and a log',
  async (t) => {
    const allowed = new Set()
    const unit = readFileSync('deploy/store-orders.service', 'utf8')
    for (const [, not, names = ''] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
      for (const call of names.split(' ').flatMap(expand)) not ? allowed.delete(call) : allowed.add(call)
    }
    const folder = t.testdir({})
    const trace = `${folder}/trace`
    const shell = `exec strace -f -qq -o ${trace} "$1" ${permissions(folder)} "$2" serve`
    const env = { METRICS_PORT: '0', DATA_DIR: folder }
    const server = startWithDomains(t, env, { shell, program: 'dist/cli/index.js' })
    await server.ports
    t.equal((await fetch(`${await server.origin}/v1/store/orders`, { headers })).status, 200)
    process.kill(Number(/"pid":(\d+)/.exec(server.stdout())?.[1]))
    t.equal(await server.ended, 0, server.stderr())
    const lines = readFileSync(trace, 'utf8').split('\n')
    const made = new Set(lines.flatMap((line) => /^\d+ +(\w+)\(/.exec(line)?.[1] ?? []))
    t.ok(made.size >= 30, `${made.size} system calls are recorded`)
    t.strictSame(
      [...made].filter((call) => !allowed.has(call)),
      [],
    )
  },
)
