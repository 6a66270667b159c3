import { rename, writeFile } from 'node:fs/promises'
import t from 'tap'
import { messageOf } from 'test-kit/message'
import { digestOf } from '../../../config/keys/key.ts'
import { openKeys } from '../../../config/keys/open.ts'

const variable = 'API_KEYS'
const log = { info() {}, warn: t.fail, error: t.fail }

t.test('without keys, one is generated, except in production', async (t) => {
  const { keys, runKey = '', follow } = await openKeys({ values: [], variable }, false)
  t.match(runKey, /^so_\w{50}$/)
  t.equal(keys.find(runKey)?.name, 'this-run')
  await follow(log)()
  const message = 'NODE_ENV is production and there is no key: set API_KEYS or API_KEYS_FILE'
  t.equal(await messageOf(() => openKeys({ values: [], variable, file: undefined }, true)), message)
})

t.test('keys of a variable are not reloaded', async (t) => {
  const { keys, runKey, follow } = await openKeys({ values: [{ name: 'shop', key: 'abc' }], variable }, true)
  t.equal(runKey, undefined)
  t.equal(keys.find('abc')?.name, 'shop')
  await follow(log)()
})

t.test('a file is reloaded until stopped', async (t) => {
  const file = `${t.testdir({ keys: `shop sha256:${digestOf('abc')}` })}/keys`
  const { keys, follow } = await openKeys({ values: [], variable, file }, true)
  const alive = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(alive))
  const { setInterval: repeat } = globalThis
  const repeated = (run: () => void, ms: number) => {
    t.equal(ms, 500)
    return repeat(run, ms)
  }
  t.intercept(globalThis, 'setInterval', { value: repeated as typeof setInterval })
  await writeFile(`${file}.next`, `shop sha256:${digestOf('abc')}\nother sha256:${digestOf('x')}`)
  let stop = async () => {}
  const said = await new Promise<string>((resolve) => {
    stop = follow({ ...log, info: resolve })
    void rename(`${file}.next`, file) // atomic: a file written in place is empty for a moment
  })
  t.equal(said, 'API keys reloaded: 2 keys, added other')
  t.equal(keys.find('x')?.name, 'other')
  await stop()
})
