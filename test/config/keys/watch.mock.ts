import { execFileSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdir, open, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { digestOf } from '../../../config/keys/key.ts'
import { endsByName, keySet, mergeKeys, mergeKeysInSlices, readKeyFileAgain } from '../../../config/keys/key-set.ts'
import { followKeyFile } from '../../../config/keys/watch.ts'

const line = (...names: string[]) => names.map((name) => `${name} sha256:${digestOf(name)}\n`).join('')
const given = [{ name: 'given', key: 'given' }]

const alive = setInterval(() => {}, 1_000) // the timer under test does not keep the process running
t.teardown(() => clearInterval(alive))

/** Follows a file, by default one that has the key `a`; `logged` waits for a line of the log. */
function follow(t: Test, path?: string, { with: run = followKeyFile, values = given } = {}) {
  const file = path ?? `${t.testdir({ keys: line('a') })}/keys`
  const sources = { values, variable: 'API_KEYS', file }
  const text = line('a')
  const keys = keySet(mergeKeys(sources, text))
  const log: string[] = []
  const events = new EventEmitter()
  const to = (level: string) => (message: string) => {
    log.push(`${level}: ${message}`)
    events.emit('line')
  }
  const levels = { info: to('info'), warn: to('warn'), error: to('error') }
  const stop = run({ ...sources, text, keys, log: levels, pollMs: 5 })
  t.teardown(stop)
  const names = () => [...keys.current.values()].map(({ name }) => name)
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await once(events, 'line')
  }
  const logged = (pattern: RegExp) => until(() => log.some((each) => pattern.test(each)))
  return { file, keys, log, stop, names, logged, has: (name: string) => until(() => names().includes(name)) }
}

/** Atomic: a file written in place is empty for a moment. */
async function replace(file: string, text: string) {
  await writeFile(`${file}.next`, text)
  await rename(`${file}.next`, file)
}

t.test('a replaced or rewritten file is reloaded', async (t) => {
  const { file, names, logged, keys } = follow(t)
  await replace(file, line('a', 'b'))
  await logged(/^info: API keys reloaded: 3 keys, added b$/)
  t.strictSame(names(), ['given', 'a', 'b'])
  await writeFile(file, '# none')
  await logged(/^info: API keys reloaded: 1 key, removed a b$/)
  t.strictSame(names(), ['given'])
  t.equal(keys.find('a')?.endsAt, -Infinity)
})

t.test('a reload names the first twenty keys that were added, and warns of expired ones', async (t) => {
  const { file, logged } = follow(t)
  await replace(file, line('a', ...Array.from({ length: 22 }, (_, index) => `k${index}`)))
  await logged(/^info: API keys reloaded: 24 keys, added k0 .* k19 and 2 more$/)
  await replace(file, line('a').replace('\n', ' expires=2026-01-31\n'))
  await logged(/^warn: by the clock of this machine, .+, API keys have expired; their requests get 401: a$/)
})

t.test('a file without keys removes all and logs a warning', async (t) => {
  const { file, keys, log, logged, stop } = follow(t, undefined, { values: [] })
  await replace(file, '# none')
  await logged(/^warn: API keys reloaded: 0 keys, removed a$/)
  await stop() // before the folder is deleted
  t.equal(log.length, 1)
  t.equal(keys.current.size, 0)
})

t.test('swapped symbolic links, as in Kubernetes, are followed', async (t) => {
  const dir = t.testdir({ '..one': { keys: line('a') }, '..two': { keys: line('b') }, '..three': { keys: line('c') } })
  await symlink('..one', `${dir}/..data`)
  await symlink('..data/keys', `${dir}/keys`)
  const { names, has } = follow(t, `${dir}/keys`)
  const swap = async (version: string) => {
    await symlink(version, `${dir}/..data_tmp`)
    await rename(`${dir}/..data_tmp`, `${dir}/..data`)
  }
  await swap('..two')
  await has('b')
  t.strictSame(names(), ['given', 'b'])
  await rm(`${dir}/..one`, { recursive: true })
  await swap('..three')
  await has('c')
  t.strictSame(names(), ['given', 'c'])
})

t.test('an invalid, empty or missing file leaves the keys unchanged', async (t) => {
  const { file, keys, names, logged, log } = follow(t)
  t.equal(keys.isReloadFailing, false)
  const bad = [`${line('b')}secret so_here\n`, `${line('b')}${line('b')}`, `given sha256:${digestOf('b')}`]
  await writeFile(file, String(bad[0]))
  const failed = (reason: string) =>
    logged(new RegExp(`^error: cannot reload the API keys; the previous ones remain valid: ${reason}`))
  await failed('.*keys, line 2: must be "name sha256:HEX"')
  await writeFile(file, String(bad[1]))
  await failed('.*keys, line 2: the name b is used twice')
  await writeFile(file, String(bad[2]))
  await failed('.*keys, line 1: the name given is used twice')
  await writeFile(file, '')
  await failed('.*keys is empty$')
  await rm(file)
  await failed('cannot read the key file .*: ENOENT$')
  t.strictSame(names(), ['given', 'a'])
  await follow(t, file).logged(/ENOENT/)
  t.equal(log.filter((each) => each.endsWith('ENOENT')).length, 1, 'once, however often it is polled')
  t.notMatch(log.join(), 'so_here')
  t.equal(keys.isReloadFailing, true)

  await writeFile(file, line('a'))
  await logged(/^info: API keys reloaded: 2 keys$/)
  t.strictSame(names(), ['given', 'a'])
  t.equal(keys.isReloadFailing, false)
})

t.test('a pipe in its place is not opened, since that may take forever', async (t) => {
  const { file, names, logged, stop } = follow(t)
  await rm(file)
  execFileSync('mkfifo', [file])
  await logged(/^error: .* cannot read the key file .*: it is not a file$/)
  await rm(file)
  await writeFile(file, line('b'))
  await logged(/^info: API keys reloaded: 2 keys/)
  t.strictSame(names(), ['given', 'b'])
  await stop()
})

t.test('nor is one that takes its place while it is read', async (t) => {
  const dir = t.testdir({})
  const file = `${dir}/keys`
  const whys = ['it is not a file', 'ENOENT'].map((why) => `cannot read the key file ${file}: ${why}`)
  const known = [line('a'), ...whys, `${file} was replaced where it is mounted from: mount its folder instead`]
  for (let round = 0; round < 20; round++) {
    await writeFile(file, line('a'))
    const read = readKeyFileAgain(file).catch(({ message }: Error) => message)
    rmSync(file)
    execFileSync('mkfifo', [file])
    t.ok(known.includes(await read))
    await rm(file)
  }
})

t.test('a file that is mounted by itself, and was replaced outside, is a failed reload', async (t) => {
  const dir = t.testdir({ keys: line('a') })
  const mounted = await open(`${dir}/keys`) // its descriptor leads to the old file, like the mount
  t.teardown(() => mounted.close())
  const { names, logged, keys } = follow(t, `/proc/self/fd/${mounted.fd}`)
  await replace(`${dir}/keys`, line('b'))
  await logged(/^error: .*the previous ones remain valid: .* was replaced where it is mounted from: mount its folder/)
  t.equal(keys.isReloadFailing, true)
  t.strictSame(names(), ['given', 'a'])
})

t.test('the time of the last read stands still while the file cannot be read', async (t) => {
  const { file, keys, logged } = follow(t)
  t.ok(keys.lastReadAt, 'the start has read it')
  await rm(file)
  await logged(/ENOENT/)
  keys.lastReadAt = 0
  await mkdir(file)
  await logged(/EISDIR/)
  t.equal(keys.lastReadAt, 0)
  await rmdir(file)
  await writeFile(file, 'invalid')
  await logged(/line 1: must be/)
  t.ok(keys.lastReadAt)
})

t.test('contents take effect only after two equal reads', async (t) => {
  const contents = [line('a', 'b'), line('a', 'b', 'c'), line('a', 'b', 'c')]
  const readKeyFileAgain = async () => contents.shift() ?? line('a', 'b', 'c')
  const module = '../../../config/keys/watch.ts'
  const mocked = { '../../../config/keys/key-set.ts': { endsByName, mergeKeysInSlices, readKeyFileAgain } }
  const watch = await t.mockImport<typeof import('../../../config/keys/watch.ts')>(module, mocked)
  const { logged, log } = follow(t, undefined, { with: watch.followKeyFile })
  await logged(/info/)
  t.strictSame(log, ['info: API keys reloaded: 4 keys, added b c'])
})

t.test('a stopped follower reads no more', async (t) => {
  const { file, stop, names, log } = follow(t)
  await stop()
  await rm(file)
  await follow(t, file).logged(/ENOENT/)
  t.strictSame(log, [])
  t.strictSame(names(), ['given', 'a'])
})
