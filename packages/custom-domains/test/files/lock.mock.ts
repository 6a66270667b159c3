import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { hostname } from 'node:os'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { messageOf } from 'test-kit/message'
import { until } from 'test-kit/until'
import { lockFolder } from '../../src/files/lock.ts'
import * as processes from '../../src/files/process.ts'

const typescript = new URL('../../../../test/loader/typescript.js', import.meta.url).href
const { readdir, readFile, rm, stat, utimes, writeFile } = fs

const inUse = (dir: string, pid: unknown, host = hostname()) =>
  `${dir} is in use by process ${pid} on ${host}: only one server at a time can use it`

/** The lock of a process that seems to be in another container. */
const elsewhere = JSON.stringify({ id: 'other', pid: 1, began: '1', namespace: 'other', host: 'elsewhere' })

/** Until the test ends. */
async function hold(t: Test, ...folder: Parameters<typeof lockFolder>) {
  const lock = await lockFolder(...folder)
  t.teardown(lock.release)
  return lock
}

/** A process that prints once it holds the folder, or prints why it does not. */
async function holdElsewhere(t: Test, dir: string): Promise<{ child: ChildProcess; said: string }> {
  const module = new URL('../../src/files/lock.ts', import.meta.url).href
  const code = `
    import { lockFolder } from '${module}'
    process.stdout.write(await lockFolder('${dir}').then(() => 'held', (error) => error.message))
    process.stdin.on('data', () => {})`
  const child = spawn(process.execPath, ['--import', typescript, '--input-type=module', '--eval', code])
  t.teardown(() => child.kill('SIGKILL'))
  const [said] = await once(child.stdout, 'data')
  return { child, said: String(said) }
}

t.test('one process holds a folder, and the error of another one names it', async (t) => {
  const dir = t.testdir()
  const { child, said } = await holdElsewhere(t, dir)
  t.equal(said, 'held')
  t.equal(await messageOf(() => lockFolder(dir)), inUse(dir, child.pid))
  t.equal((await stat(`${dir}/lock-1`)).mode & 0o777, 0o600)
  t.strictSame(await readdir(dir), ['lock-1'])
})

t.test('the holder can release the lock', async (t) => {
  const dir = t.testdir()
  const { release } = await lockFolder(dir)
  t.equal(await messageOf(() => lockFolder(dir)), inUse(dir, process.pid))
  await release()
  const again = await lockFolder(dir)
  t.strictSame(await readdir(dir), ['lock-2'])
  await again.release()
  t.equal(await readFile(`${dir}/lock-2`, 'utf8'), '')
})

t.test('exactly one of many processes takes over the lock of a killed one', async (t) => {
  const dir = t.testdir()
  const { child } = await holdElsewhere(t, dir)
  child.kill('SIGKILL')
  await once(child, 'close')
  const tries = Array.from({ length: 20 }, () => hold(t, dir).then(() => 'held', String))
  const others = [holdElsewhere(t, dir), holdElsewhere(t, dir)].map((other) => other.then(({ said }) => said))
  const said = await Promise.all([...tries, ...others])
  t.equal(said.filter((one) => one === 'held').length, 1)
  t.equal(said.filter((one) => one.includes('is in use by process')).length, 21)
  t.strictSame(await readdir(dir), ['lock-2'])
})

t.test('a reused pid, and an empty or broken lock, do not hold the folder', async (t) => {
  const broken = t.testdir({ broken: { 'lock-1': '', 'lock-2': '\0\0\0', 'lock-x': '' }, reused: {} })
  await hold(t, `${broken}/broken`)
  t.strictSame(await readdir(`${broken}/broken`), ['lock-3', 'lock-x'])
  const dir = `${broken}/reused`
  const { release } = await lockFolder(dir)
  const holder = JSON.parse(await readFile(`${dir}/lock-1`, 'utf8'))
  await release()
  await writeFile(`${dir}/lock-7`, JSON.stringify({ ...holder, id: 'old', began: '1' }))
  t.equal((await hold(t, dir)).number, 8)
  t.strictSame(await readdir(dir), ['lock-8'])
})

t.test('a holder in another container is recognized by its renewals; ten seconds without are its end', async (t) => {
  const dir = t.testdir({ 'lock-3': elsewhere })
  const waits: number[] = []
  const renewed = () => lockFolder(dir, async (ms) => waits.push(ms) === 2 && utimes(`${dir}/lock-3`, 1, 1))
  t.equal(await messageOf(renewed), inUse(dir, 1, 'elsewhere'), 'whatever its pid')
  t.strictSame([waits.splice(0), await readdir(dir)], [[2000, 2000], ['lock-3']])
  const lock = await hold(t, dir, async (ms) => waits.push(ms))
  t.strictSame([waits, lock.number, await readdir(dir)], [Array(5).fill(2000), 4, ['lock-4']])
})

t.test('a lock that is released or taken over while another process waits is a new one', async (t) => {
  for (const change of [(file: string) => writeFile(file, ''), (file: string) => rm(file)]) {
    const dir = t.testdir({ 'lock-3': elsewhere })
    const lock = await hold(t, dir, () => change(`${dir}/lock-3`))
    t.strictSame(await readdir(dir), [`lock-${lock.number}`])
  }
})

t.test('without /proc, only renewals count', async (t) => {
  const { namespace, ...holder } = JSON.parse(elsewhere)
  const dir = t.testdir({ 'lock-1': JSON.stringify(holder) })
  t.equal(await messageOf(() => lockFolder(dir, () => utimes(`${dir}/lock-1`, 1, 1))), inUse(dir, 1, 'elsewhere'))
  const taken = await hold(t, dir, async () => {})
  t.equal(taken.number, 2)
  await writeFile(`${dir}/lock-3`, elsewhere)
  const lost = `another server has taken over ${dir}: this one can no longer write to it`
  await t.rejects(taken.check(), { message: lost })

  const module = '../../src/files/process.ts'
  const { processNamespace, runs } = await t.mockImport<typeof processes>(module, {
    'node:fs/promises': { ...fs, readlink: () => Promise.reject(new Error('there is no /proc')) },
  })
  t.equal(await processNamespace(), undefined)
  t.equal(await runs(process.pid, await processes.startTimeOf(process.pid)), true)
})

t.test('the holder renews its lock every two seconds', async (t) => {
  const dir = t.testdir()
  const timers = t.capture(globalThis, 'setInterval', setInterval)
  const lock = await lockFolder(dir)
  timers.restore()
  const [[renew, ms] = []] = timers.args()
  t.equal(ms, 2000)
  await utimes(`${dir}/lock-1`, 1, 1)
  await renew?.()
  t.ok((await stat(`${dir}/lock-1`)).mtimeMs > 1000)
  await lock.check()
  await rm(`${dir}/lock-1`)
  await t.resolves(lock.renew(), 'the disk may fail')
  await t.rejects(lock.check(), { message: /^another server has taken over/ })
  await t.resolves(lock.release())
})

t.test('a process of another user counts as a holder, too', async (t) => {
  const dir = t.testdir()
  await hold(t, dir)
  const kill = () => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
  }
  t.intercept(process, 'kill', { value: kill })
  t.equal(await messageOf(() => lockFolder(dir)), inUse(dir, process.pid))
})

t.test('if no lock can be created, the start fails with the error of the system', async (t) => {
  const dir = t.testdir({ 'lock-1': {} })
  await t.rejects(lockFolder(dir), { code: 'EISDIR' })
  await t.rejects(lockFolder(`${dir}/none`), { code: 'ENOENT' })
  const link = () => Promise.reject(Object.assign(new Error('EPERM: no links here'), { code: 'EPERM' }))
  const module = '../../src/files/lock.ts'
  const { lockFolder: withoutLinks } = await t.mockImport<{ lockFolder: typeof lockFolder }>(module, {
    'node:fs/promises': { ...fs, link },
  })
  const other = t.testdir()
  await t.rejects(withoutLinks(other), { code: 'EPERM' })
  t.strictSame(await readdir(other), [])
})

t.test('a zombie process holds no lock', async (t) => {
  // A shell reaps its children, sleep does not: a child that ends after the exec stays a zombie.
  const stdio = ['ignore', 'pipe', 'ignore', 'pipe'] as const
  const child = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 60'], { stdio: [...stdio] })
  t.teardown(() => child.kill('SIGKILL'))
  const [pid] = await once(child.stdout as Readable, 'data')
  const zombie = Number(pid)
  await until(async () => (await readFile(`/proc/${child.pid}/comm`, 'utf8')) === 'sleep\n')
  ;(child.stdio[3] as Writable).end()
  await until(async () => /^State:\s*Z/m.test(await readFile(`/proc/${zombie}/status`, 'utf8')))
  t.equal(await processes.runs(zombie, await processes.startTimeOf(zombie)), false)
  t.equal(await processes.runs(process.pid, await processes.startTimeOf(process.pid)), true)
})
