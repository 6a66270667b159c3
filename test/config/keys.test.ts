import t from 'tap'
import { digestOf, loadKeys, makeKey } from '../../config/keys.ts'
import { messageOf } from '../fixtures/message.ts'

const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' // of the FIPS 180-2 example, "abc"
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

t.test('a digest is SHA-256 in lower-case hexadecimal', async (t) => {
  t.equal(digestOf('abc'), abc)
})

t.test('a made key is 256 random bits that a bearer token may consist of', async (t) => {
  t.match(makeKey(), /^[\w-]{43}$/)
  t.not(makeKey(), makeKey())
})

t.test('given keys are kept as digests', async (t) => {
  t.strictSame(await loadKeys([], 'API_KEYS'), new Map())
  t.strictSame(await loadKeys([{ name: 'shop', key: 'abc' }], 'API_KEYS'), new Map([[abc, 'shop']]))
})

t.test('a key file has a line for each key, and comments', async (t) => {
  const file = `${t.testdir({ keys: `\uFEFF# Keys\r\n\r\n  shop \t SHA256:${abc.toUpperCase()} \r\n# old\r\nnight.run_2-b sha256:${empty}` })}/keys`
  t.strictSame(
    await loadKeys([{ name: 'given', key: 'xyz' }], 'API_KEYS', file),
    new Map([
      [digestOf('xyz'), 'given'],
      [abc, 'shop'],
      [empty, 'night.run_2-b'],
    ]),
  )
})

t.test('all mistakes are reported at once, a line each', async (t) => {
  const lines = [
    `shop sha256:${abc}`,
    'shop abc',
    `two words sha256:${abc}`,
    `short sha256:${abc.slice(1)}`,
    `long sha256:${abc}0`,
    `shop sha256:${empty}`,
    `again sha256:${abc.toUpperCase()}`,
    `given sha256:${abc.replace('b', 'c')}`,
  ]
  const file = `${t.testdir({ keys: lines.join('\n') })}/keys`
  const given = [
    { name: 'given', key: 'xyz' },
    { name: 'given', key: '123' },
    { name: 'other', key: 'xyz' },
  ]
  const malformed = 'must be "name sha256:HEX", HEX being the 64 digits that sha256sum prints'
  const mistakes = [
    ...[2, 3, 4, 5].map((line) => `${file}, line ${line}: ${malformed}`),
    'API_KEYS: given: the name given is given to two keys',
    'API_KEYS: other: this key has another name already',
    `${file}, line 6: the name shop is given to two keys`,
    `${file}, line 7: this key has another name already`,
    `${file}, line 8: the name given is given to two keys`,
  ]
  t.equal(await messageOf(() => loadKeys(given, 'API_KEYS', file)), mistakes.join('\n'))
})

t.test('a file of mistakes alone is not said to hold no key', async (t) => {
  const file = `${t.testdir({ keys: 'shop' })}/keys`
  const message = `${file}, line 1: must be "name sha256:HEX", HEX being the 64 digits that sha256sum prints`
  t.equal(await messageOf(() => loadKeys([], 'API_KEYS', file)), message)
})

t.test('a file without a key is refused, also beside given keys', async (t) => {
  const file = `${t.testdir({ keys: '# none yet\n' })}/keys`
  t.equal(await messageOf(() => loadKeys([{ name: 'given', key: 'xyz' }], 'API_KEYS', file)), `${file} holds no key`)
})

t.test('a file that cannot be read is refused', async (t) => {
  const dir = t.testdir({})
  t.equal(
    await messageOf(() => loadKeys([], 'API_KEYS', `${dir}/keys`)),
    `the key file ${dir}/keys cannot be read: ENOENT`,
  )
  t.equal(await messageOf(() => loadKeys([], 'API_KEYS', dir)), `the key file ${dir} cannot be read: EISDIR`)
})
