import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setImmediate as immediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { digestOf } from '../../../config/keys/key.ts'
import { keySet, keysOf } from '../../../config/keys/key-set.ts'
import { readLastUsed, recordUse } from '../../../config/keys/last-used.ts'

const NEVER_MS = 2 ** 31 - 1
const [a, b] = [digestOf('a'), digestOf('b')]

function server(file: string, { everyMs = NEVER_MS } = {}) {
  const keys = keySet(keysOf(['a', 'b'].map((name) => ({ name, key: name }))))
  const warnings: string[] = []
  const stop = recordUse({ file, keys, log: { warn: (message) => warnings.push(message) }, everyMs })
  const use = (key: string) => Object.assign(keys.find(key) ?? {}, { isUsed: true })
  return { keys, warnings, stop, use }
}

const folder = (t: Test) => `${t.testdir({ keys: 'not read here' })}/keys`

t.test('used keys are recorded, and records of other servers are kept', async (t) => {
  const file = folder(t)
  await chmod(file, 0o440)
  t.strictSame(await readLastUsed(file), new Map())
  const before = Date.now()
  const one = server(file)
  one.use('a')
  await one.stop()
  const first = await readLastUsed(file)
  t.strictSame([...first.keys()], [a])
  t.ok(Number(first.get(a)) >= before && Number(first.get(a)) <= Date.now())
  t.equal((await stat(`${file}.last-used`)).mode & 0o777, 0o640)
  t.match(await readFile(`${file}.last-used`, 'utf8'), new RegExp(`^\\{\\n {2}"${a}": "20.*Z"\\n\\}\\n$`))

  const other = server(file)
  other.use('b')
  await other.stop()
  const second = await readLastUsed(file)
  t.strictSame([...second.keys()], [a, b])
  t.equal(second.get(a), first.get(a))
  t.strictSame((await readdir(file.replace(/keys$/, ''))).sort(), ['keys', 'keys.last-used'])
})

t.test('nothing is written if no key was used', async (t) => {
  const file = folder(t)
  await server(file).stop()
  await t.rejects(stat(`${file}.last-used`), { code: 'ENOENT' })
})

t.test('the record is rewritten regularly, without removed keys', async (t) => {
  const file = folder(t)
  const { keys, stop, use } = server(file, { everyMs: 1 })
  t.teardown(stop)
  use('a')
  use('b')
  while ((await readLastUsed(file)).size < 2) await immediate()
  keys.replace(keysOf([{ name: 'b', key: 'b' }]))
  use('b')
  while ((await readLastUsed(file)).size > 1) await immediate()
  t.strictSame([...(await readLastUsed(file)).keys()], [b])
  t.equal(keys.find('b')?.isUsed, false)
})

t.test('an unwritable directory is reported once, and a use is recorded as soon as it can be written', async (t) => {
  const file = folder(t)
  await mkdir(`${file}.last-used`) // a folder cannot be replaced by a file
  const { warnings, stop: record, use } = server(file)
  for (let times = 0; times < 3; times++) {
    use('a')
    await record()
  }
  await rm(`${file}.last-used`, { recursive: true })
  await record()
  t.strictSame([...(await readLastUsed(file)).keys()], [a])
  t.strictSame(warnings, [`cannot record the last use of the API keys next to ${file} (EISDIR); retrying`])
})

t.test('an invalid record is ignored', async (t) => {
  const file = folder(t)
  for (const text of ['', 'null', '{']) {
    await writeFile(`${file}.last-used`, text)
    t.strictSame(await readLastUsed(file), new Map(), text)
  }
  await writeFile(`${file}.last-used`, JSON.stringify({ [a]: 'then' }))
  const { stop, use } = server(file)
  use('b')
  await stop()
  t.strictSame([...(await readLastUsed(file)).keys()], [b])
})
