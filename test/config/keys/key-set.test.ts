import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { messageOf } from 'test-kit/message'
import { digestOf, makeKey } from '../../../config/keys/key.ts'
import { keySet, keysOf, loadKeys, mergeKeys, mergeKeysInSlices } from '../../../config/keys/key-set.ts'

const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' // of the FIPS 180-2 example, "abc"
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const variable = 'API_KEYS'
const lasting = { isReadOnly: false, endsAt: Infinity }

/** Entries of a file, and keys beside it. */
async function load(t: Test, text: string, given: { name: string; key: string }[] = []) {
  const file = `${t.testdir({ keys: text })}/keys`
  return { file, load: () => loadKeys({ values: given, variable, file }) }
}

t.test('a key file has a line for each key, and comments', async (t) => {
  const text = `\uFEFF# Keys\r\n\r\n  shop \t SHA256:${abc.toUpperCase()} \r\n# old\r\nnight.run_2-b sha256:${empty} read-only expires=2027-01-31`
  const { load: read } = await load(t, text, [{ name: 'given', key: 'xyz' }])
  t.strictSame(await read(), {
    text,
    keys: new Map([
      [digestOf('xyz'), { name: 'given', ...lasting }],
      [abc, { name: 'shop', ...lasting }],
      [empty, { name: 'night.run_2-b', isReadOnly: true, endsAt: Date.UTC(2027, 0, 31) }],
    ]),
  })
})

t.test('a rotated key has the name of the key that replaced it, until the earlier of its times', async (t) => {
  const attributes = { [abc]: 'expires=2027-01-01 grace=2027-02-01', [empty]: '', [digestOf('x')]: 'grace=2026-01-01' }
  const lines = Object.entries(attributes).map(([digest, text]) => `shop sha256:${digest} ${text}`)
  const { load: read } = await load(t, lines.join('\n'))
  const shop = [Date.UTC(2027, 0), Infinity, Date.UTC(2026, 0)].map((endsAt) => ({ ...lasting, name: 'shop', endsAt }))
  t.strictSame([...(await read()).keys.values()], shop)
})

t.test('all errors are reported at once, one per line', async (t) => {
  const lines = [
    `shop sha256:${abc}`,
    'shop abc',
    `two words sha256:${abc}`,
    `short sha256:${abc.slice(1)}`,
    `long sha256:${abc}0`,
    `shop sha256:${empty}`,
    `again sha256:${abc.toUpperCase()}`,
    `given sha256:${abc.replace('b', 'c')}`,
    `late sha256:${digestOf('late')} expires=tomorrow`,
  ]
  const key = makeKey()
  const typo = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`
  const given = ['given:xyz', 'given:123', 'other:xyz', `typo:${typo}`].map((text) => text.split(':'))
  const values = given.map(([name = '', key = '']) => ({ name, key }))
  const { file, load: read } = await load(t, lines.join('\n'), values)
  const malformed = 'must be "name sha256:HEX", HEX being the 64 digits that sha256sum prints'
  const attributes =
    'after the digest, only read-only, created=, expires= and grace= may follow, the last three with a time like 2027-01-31T12:00:00Z'
  const errors = [
    'API_KEYS: given: the name given is used twice',
    'API_KEYS: other: this key already has another name',
    'API_KEYS: typo: the key is mistyped: its last six digits are not its checksum',
    ...[2, 3, 4, 5].map((line) => `${file}, line ${line}: ${malformed}`),
    `${file}, line 6: the name shop is used twice`,
    `${file}, line 7: this key already has another name`,
    `${file}, line 8: the name given is used twice`,
    `${file}, line 9: ${attributes}`,
  ]
  t.equal(await messageOf(read), errors.join('\n'))
})

t.test('a large file is merged in slices, between which the process does other things', async (t) => {
  const lines = Array.from({ length: 1000 }, (_, index) => `key-${index} sha256:${digestOf(String(index))}`)
  let turns = 0
  let waiting = setImmediate(function count() {
    turns++
    waiting = setImmediate(count)
  })
  const sources = { values: [], variable, file: 'keys' }
  const keys = await mergeKeysInSlices(sources, lines.join('\n'))
  clearImmediate(waiting)
  t.ok(turns >= 4, 'the event loop turned')
  t.strictSame(keys, mergeKeys(sources, lines.join('\n')))
})

t.test('a file without a key is rejected, even with keys in the variable', async (t) => {
  const { file, load: read } = await load(t, '# none yet\n', [{ name: 'given', key: 'xyz' }])
  t.equal(await messageOf(read), `${file} contains no key`)
})

t.test('an unreadable file is rejected', async (t) => {
  const dir = t.testdir({})
  const reading = (file: string) => messageOf(() => loadKeys({ values: [], variable, file }))
  t.equal(await reading(`${dir}/keys`), `cannot read the key file ${dir}/keys: ENOENT`)
  t.equal(await reading(dir), `cannot read the key file ${dir}: EISDIR`)
})

t.test('the contents of a pipe are not returned, as it can be read only once', async (t) => {
  const file = `${t.testdir({})}/pipe`
  await promisify(execFile)('mkfifo', [file])
  const [read] = await Promise.all([loadKeys({ values: [], variable, file }), writeFile(file, `shop sha256:${abc}`)])
  t.strictSame(read, { keys: new Map([[abc, { name: 'shop', ...lasting }]]) })
})

t.test('a set finds its keys until they are replaced', async (t) => {
  const keys = keySet(keysOf([{ name: 'shop', key: 'abc' }]))
  t.strictSame(keys.find('abc'), { name: 'shop', ...lasting })
  t.equal(keys.find('abcd'), undefined)
  keys.replace(keysOf(Object.entries({ renamed: 'abc', new: 'x' }).map(([name, key]) => ({ name, key }))))
  t.strictSame(keys.find('abc'), { name: 'renamed', ...lasting })
  t.strictSame(keys.find('x'), { name: 'new', ...lasting })
  keys.replace(new Map())
  t.strictSame(keys.find('abc'), { name: 'renamed', ...lasting, endsAt: -Infinity })
})

t.test('of the revoked keys, the last thousand are known by name', async (t) => {
  const names = Array.from({ length: 1_001 }, (_, index) => `k${index}`)
  const keys = keySet(keysOf(names.map((name) => ({ name, key: name }))))
  keys.replace(keysOf([]))
  t.strictSame([keys.find('k0'), keys.find('k1000')?.endsAt], [undefined, -Infinity])
  keys.replace(keysOf([{ name: 'again', key: 'k1000' }]))
  t.equal(keys.find('k1000')?.name, 'again')
})

t.test('a mistyped key is not looked up', async (t) => {
  const key = makeKey()
  const typo = key.replace(/^so_(.)/, (_, digit) => `so_${digit === '0' ? '1' : '0'}`)
  const entries = Object.entries({ right: key, typo }).map(
    ([name, key]) => [digestOf(key), { name, ...lasting }] as const,
  )
  const keys = keySet(new Map(entries))
  t.equal(keys.find(key)?.name, 'right')
  t.equal(keys.find(typo), undefined)
})
