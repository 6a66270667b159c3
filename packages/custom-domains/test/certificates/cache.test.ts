import t from 'tap'
import { messageOf } from '../../../../test/fixtures/message.ts'
import { certificateCache } from '../../src/certificates/cache.ts'
import { emptySnapshot } from '../../src/state/snapshot.ts'
import { emptyDisk, storageOn } from '../fixtures/domains.ts'

t.test('certificates come from the storage', async (t) => {
  const disk = emptyDisk()
  const cache = certificateCache(storageOn(disk), () => emptySnapshot)
  t.equal(await cache.loadCertificate('docs.shop.test'), undefined)
  await cache.saveCertificate('docs.shop.test', 'PEM')
  t.equal(disk.certificates.get('docs.shop.test'), 'PEM')
  disk.certificates.set('docs.shop.test', 'OTHER')
  t.equal(await cache.loadCertificate('docs.shop.test'), 'OTHER')
})

t.test('a certificate that could not be saved is saved at its next load', async (t) => {
  const disk = emptyDisk()
  let isFull = true
  const storage = storageOn(disk, () => {
    if (isFull) throw new Error('ENOSPC')
  })
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
