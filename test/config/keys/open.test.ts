import t from 'tap'
import { messageOf } from 'test-kit/message'
import { openKeys } from '../../../config/keys/open.ts'

const variable = 'API_KEYS'
const log = { info() {}, warn: t.fail, error: t.fail }

t.test('without keys, one is generated, except in production', async (t) => {
  const { keys, runKey = '', follow } = await openKeys({ values: [], variable }, false)
  t.match(runKey, /^so_\w{50}$/)
  t.equal(keys.find(runKey)?.name, 'this-run')
  await follow(log)()
  t.equal(
    await messageOf(() => openKeys({ values: [], variable, file: undefined }, true)),
    'NODE_ENV is production and there is no key: set API_KEYS or API_KEYS_FILE',
  )
})

t.test('keys of a variable are not reloaded', async (t) => {
  const { keys, runKey, follow } = await openKeys({ values: [{ name: 'shop', key: 'abc' }], variable }, true)
  t.equal(runKey, undefined)
  t.equal(keys.find('abc')?.name, 'shop')
  await follow(log)()
})
