import t from 'tap'
import { keptCertificates } from '../../../domains/certificates/cache.ts'
import { emptyDisk, storageOn } from '../../fixtures/domains.ts'
import { messageOf } from '../../fixtures/message.ts'

t.test('certificates are those of the storage', async (t) => {
  const disk = emptyDisk()
  const kept = keptCertificates(storageOn(disk))
  t.equal(await kept.loadCertificate('docs.shop.test'), undefined)
  await kept.saveCertificate('docs.shop.test', 'PEM')
  t.equal(disk.certificates.get('docs.shop.test'), 'PEM')
  disk.certificates.set('docs.shop.test', 'OTHER')
  t.equal(await kept.loadCertificate('docs.shop.test'), 'OTHER')
})

t.test('one that could not be saved is saved by whoever asks for it next', async (t) => {
  const disk = emptyDisk()
  let isFull = true
  const storage = storageOn(disk, () => {
    if (isFull) throw new Error('ENOSPC')
  })
  const kept = keptCertificates(storage)
  t.equal(await messageOf(() => kept.saveCertificate('docs.shop.test', 'PEM')), 'ENOSPC')
  t.equal(await messageOf(() => kept.loadCertificate('docs.shop.test')), 'ENOSPC')
  isFull = false
  t.equal(await kept.loadCertificate('docs.shop.test'), 'PEM')
  t.equal(disk.certificates.get('docs.shop.test'), 'PEM')
  t.strictSame(disk.writes, ['certificate'])
  t.equal(await kept.loadCertificate('docs.shop.test'), 'PEM')
  t.strictSame(disk.writes, ['certificate'], 'once')
})
