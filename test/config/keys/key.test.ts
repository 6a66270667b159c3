import { crc32 } from 'node:zlib'
import t from 'tap'
import { digestOf, isMistyped, makeKey } from '../../../config/keys/key.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

t.test('a digest is SHA-256 in lower-case hexadecimal', async (t) => {
  t.equal(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad') // FIPS 180-2
})

t.test('a key is so_, 43 base62 digits, _, and the CRC-32 of all before it in six', async (t) => {
  for (const key of Array.from({ length: 200 }, makeKey)) {
    const [, random = '', checksum = ''] = /^(so_[0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/.exec(key) ?? []
    const value = [...checksum].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
    t.equal(value, crc32(random), key)
    t.notOk(isMistyped(key))
  }
})

t.test('every bit of a key is random, and no key repeats', async (t) => {
  const keys = Array.from({ length: 10_000 }, makeKey)
  t.equal(new Set(keys).size, keys.length)
  const values = keys.map((key) =>
    [...key.slice(3, 46)].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n),
  )
  const [ones, zeros] = [values.reduce((sum, value) => sum | value), values.reduce((sum, value) => sum & value)]
  t.strictSame([ones, zeros], [2n ** 256n - 1n, 0n], 'each is 1 in some key, and 0 in another')
})

t.test('any changed digit or swapped pair is detected', async (t) => {
  const key = makeKey()
  for (let index = 3; index < key.length; index++) {
    if (key[index] === '_') continue
    const other = key[index] === 'a' ? 'b' : 'a'
    t.ok(isMistyped(key.slice(0, index) + other + key.slice(index + 1)), `digit ${index}`)
    const [first = '', second = ''] = key.slice(index, index + 2)
    if (second === '_' || second === '' || first === second) continue
    t.ok(isMistyped(key.slice(0, index) + second + first + key.slice(index + 2)), `digits ${index}`)
  }
})

t.test('keys of other formats have no checksum', async (t) => {
  const key = makeKey()
  for (const other of ['', 'abc', 'so_abc', key.slice(1), `${key}a`, key.replace('so_', 'SO_')])
    t.notOk(isMistyped(other), other)
})
