import t from 'tap'
import { cipherOf } from '../../src/postgres/cipher.ts'

const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const name = 'certificate docs.shop.test'

t.test('a ciphertext is bound to its name and differs each time', async (t) => {
  const { encrypt, decrypt } = cipherOf([one])
  const value = encrypt('PRIVATE KEY ü', name)
  t.notMatch(value.toString('latin1'), 'PRIVATE')
  t.equal(decrypt(value, name), 'PRIVATE KEY ü')
  t.notSame(encrypt('PRIVATE KEY ü', name), value)
  t.throws(() => decrypt(value, 'certificate other.shop.test'))
  for (const at of [4, 16, 32]) {
    const changed = Buffer.from(value)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    t.throws(() => decrypt(changed, name))
  }
})

t.test('the oldest key encrypts until every instance has a newer one, and each key decrypts', async (t) => {
  const [first] = cipherOf([two]).ids
  const value = cipherOf([two, one]).encrypt('text', name)
  t.equal(cipherOf([one]).decrypt(value, name), 'text')
  t.equal(cipherOf([two, one]).decrypt(value, name), 'text')
  const next = cipherOf([two, one], () => first).encrypt('text', name)
  t.equal(cipherOf([two]).decrypt(next, name), 'text')
  t.throws(() => cipherOf([one]).decrypt(next, name), {
    message: `${name} is encrypted with a key that is not among the encryption keys`,
  })
})
