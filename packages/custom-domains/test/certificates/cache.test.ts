import t from 'tap'
import { messageOf } from 'test-kit/message'
import { certificateCache, storedCertificates } from '../../src/certificates/cache.ts'
import { begin } from '../fixtures/clock.ts'
import { diskOf, storageOn } from '../fixtures/disk.ts'
import { certificateAt } from '../fixtures/domains.ts'

t.test('the stored certificate of a host is described if TLS can use it', async (t) => {
  const disk = diskOf()
  const pem = await certificateAt('docs.shop.test', begin)
  const certificateOf = storedCertificates(storageOn(disk))
  t.equal(await certificateOf('docs.shop.test'), undefined)
  disk.certificates.set('docs.shop.test', pem).set('other.shop.test', pem)
  t.match(await certificateOf('docs.shop.test'), { issuer: String, notAfter: String, hosts: undefined })
  t.equal(await certificateOf('other.shop.test'), undefined)
  const failing = storedCertificates({ loadSecret: () => Promise.reject(new Error('EIO')) })
  t.equal(await failing('docs.shop.test'), undefined)
})

t.test('a certificate that could not be saved is saved at its next load', async (t) => {
  const disk = diskOf()
  let isFull = true
  const storage = storageOn(disk, () => isFull && Promise.reject(new Error('ENOSPC')))
  const cache = certificateCache(storage, () => ({ revoked: new Map([['key', '2027']]) }))
  t.equal(await messageOf(() => cache.saveCertificate('docs.shop.test', 'PEM')), 'ENOSPC')
  t.equal(await messageOf(() => cache.loadCertificate('docs.shop.test')), 'ENOSPC')
  isFull = false
  t.equal(await cache.loadCertificate('docs.shop.test'), 'PEM')
  t.equal(disk.certificates.get('docs.shop.test'), 'PEM')
  t.strictSame(disk.writes, ['certificate'])
  t.equal(await cache.loadCertificate('docs.shop.test'), 'PEM')
  t.strictSame(disk.writes, ['certificate'], 'once')
})

t.test('a certificate that could not be saved is forgotten with its key, but not with an earlier one', async (t) => {
  const storage = storageOn(diskOf(), () => Promise.reject(new Error('ENOSPC')))
  const cache = certificateCache(storage, () => ({ revoked: new Map() }))
  for (const [deleted, left] of Object.entries({ PEM: undefined, FORMER: 'PEM' })) {
    await messageOf(() => cache.saveCertificate('docs.shop.test', 'PEM'))
    await cache.deleteKey('docs.shop.test', deleted)
    t.equal(await cache.loadIssued('docs.shop.test'), left)
  }
})
