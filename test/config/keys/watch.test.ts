import { EventEmitter, once } from 'node:events'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { digestOf } from '../../../config/keys/key.ts'
import { keySet, mergeKeys } from '../../../config/keys/key-set.ts'
import { followKeyFile } from '../../../config/keys/watch.ts'

const NEVER_MS = 2 ** 31 - 1
const line = (...names: string[]) => names.map((name) => `${name} sha256:${digestOf(name)}\n`).join('')
const given = [{ name: 'given', key: 'given' }]

const alive = setInterval(() => {}, 1_000) // what is tested holds no process
t.teardown(() => clearInterval(alive))

/** Follows a file, which has the key `a` at the start; `said` waits for a line of the log. */
function follow(t: Test, file: string, { pollMs = NEVER_MS, text = line('a'), with: run = followKeyFile } = {}) {
  const sources = { given, variable: 'API_KEYS', file }
  const keys = keySet(mergeKeys(sources, text))
  const log: string[] = []
  const events = new EventEmitter()
  const to = (level: string) => (message: string) => {
    log.push(`${level}: ${message}`)
    events.emit('line')
  }
  const stop = run({ ...sources, text, keys, log: { info: to('info'), warn: to('warn'), error: to('error') }, pollMs })
  t.teardown(stop)
  const names = () => [...keys.current.values()].map(({ name }) => name)
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await once(events, 'line')
  }
  return {
    keys,
    log,
    stop,
    names,
    said: (pattern: RegExp) => until(() => log.some((each) => pattern.test(each))),
    has: (name: string) => until(() => names().includes(name)),
  }
}

/** In one step: a file that is written in place is empty for a moment, which a look may meet. */
async function replace(file: string, text: string) {
  await writeFile(`${file}.next`, text)
  await rename(`${file}.next`, file)
}

t.test('a file that is replaced, or written in place, is read again', async (t) => {
  const dir = t.testdir({ keys: line('a') })
  const { names, said, keys } = follow(t, `${dir}/keys`)
  await replace(`${dir}/keys`, line('a', 'b'))
  await said(/^info: the API keys have been read again: 3 keys$/)
  t.strictSame(names(), ['given', 'a', 'b'])
  await writeFile(`${dir}/keys`, '# none')
  await said(/^info: the API keys have been read again: 1 key$/)
  t.strictSame(names(), ['given'])
  t.equal(keys.find('a'), undefined)
})

t.test('a file whose keys are all gone leaves none, and warns', async (t) => {
  const dir = t.testdir({ keys: line('a') })
  const keys = keySet(mergeKeys({ given: [], variable: '', file: '' }, line('a')))
  let stop = async () => {}
  const warned = new Promise<string>((resolve) => {
    const log = { info: t.fail, warn: resolve, error: t.fail }
    stop = followKeyFile({ given: [], variable: '', file: `${dir}/keys`, text: line('a'), keys, log })
  })
  await replace(`${dir}/keys`, '# none')
  t.equal(await warned, 'the API keys have been read again: 0 keys')
  await stop() // before the folder is deleted
  t.equal(keys.current.size, 0)
})

t.test('the symbolic links that Kubernetes swaps are followed', async (t) => {
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

t.test('a file with a mistake, an empty one and one that is gone leave the keys as they were', async (t) => {
  const dir = t.testdir({ keys: line('a') })
  const file = `${dir}/keys`
  const { names, said, log } = follow(t, file)
  const bad = [`${line('b')}secret so_here\n`, `${line('b')}${line('b')}`, `given sha256:${digestOf('b')}`]
  await writeFile(file, String(bad[0]))
  await said(/^error: the API keys stay as they were: .*keys, line 2: must be "name sha256:HEX"/)
  await writeFile(file, String(bad[1]))
  await said(/keys, line 2: the name b is given to two keys/)
  await writeFile(file, String(bad[2]))
  await said(/keys, line 1: the name given is given to two keys/)
  await writeFile(file, '')
  await said(/^error: the API keys stay as they were: .*keys is empty$/)
  await rm(file)
  await said(/^error: the API keys stay as they were: the key file .* cannot be read: ENOENT$/)
  t.strictSame(names(), ['given', 'a'])
  t.notMatch(log.join(), 'so_here')

  await writeFile(file, line('a'))
  await said(/^info: the API keys have been read again: 2 keys$/)
  t.strictSame(names(), ['given', 'a'])
})

t.test('a file that was gone, and is there again as it was, ends the mistake', async (t) => {
  const dir = t.testdir({ keys: line('a') })
  const { names, said } = follow(t, `${dir}/keys`)
  await rename(`${dir}/keys`, `${dir}/away`)
  await said(/^error: .* cannot be read: ENOENT$/)
  await rename(`${dir}/away`, `${dir}/keys`)
  await said(/^info: the API keys have been read again: 2 keys$/)
  t.strictSame(names(), ['given', 'a'])
})

t.test('what no event reports is found after a while, and a mistake is reported once', async (t) => {
  const dir = t.testdir({})
  const { names, said, log } = follow(t, `${dir}/folder/keys`, { pollMs: 5 })
  await said(/cannot be read: ENOENT/)
  await mkdir(`${dir}/folder`)
  await writeFile(`${dir}/folder/keys`, line('b'))
  await said(/info/)
  t.strictSame(names(), ['given', 'b'])
  t.equal(log.filter((each) => each.endsWith('ENOENT')).length, 1)
})

t.test('a folder that is replaced is watched anew', async (t) => {
  const dir = t.testdir({ folder: { keys: line('a') }, next: { keys: line('b') } })
  const { names, has } = follow(t, `${dir}/folder/keys`, { pollMs: 5 })
  await rename(`${dir}/folder`, `${dir}/former`)
  await rename(`${dir}/next`, `${dir}/folder`)
  await has('b')
  t.strictSame(names(), ['given', 'b'])
})

t.test('a watch that fails is closed, and the file is still looked at', async (t) => {
  const dir = t.testdir({ keys: line('a') })
  let closed = 0
  const watch = () => {
    const watcher = Object.assign(new EventEmitter(), { close: () => closed++ })
    setImmediate(() => watcher.emit('error', new Error('EMFILE')))
    return watcher
  }
  const { followKeyFile: mocked } = await t.mockImport<typeof import('../../../config/keys/watch.ts')>(
    '../../../config/keys/watch.ts',
    { 'node:fs': { watch } },
  )
  const { said } = follow(t, `${dir}/keys`, { pollMs: 5, with: mocked })
  await writeFile(`${dir}/keys`, line('b'))
  await said(/info/)
  t.ok(closed > 0)
})

t.test('once stopped, it reads no more', async (t) => {
  const dir = t.testdir({ keys: line('a') })
  const { stop, names, log } = follow(t, `${dir}/keys`, { pollMs: 1 })
  await replace(`${dir}/keys`, line('a')) // an event that is waited for
  await stop()
  await rm(`${dir}/keys`)
  const other = follow(t, `${dir}/keys`, { pollMs: 1 })
  await other.said(/ENOENT/)
  t.strictSame(log, [])
  t.strictSame(names(), ['given', 'a'])
})
