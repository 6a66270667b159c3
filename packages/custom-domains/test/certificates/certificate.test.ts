import t from 'tap'
import { cutShort, makeCertificate } from 'test-kit/certificate'
import { certifies, contextFor, readCertificate, withOrigin } from '../../src/certificates/certificate.ts'

const host = 'docs.example.com'

t.test('the issuer, the dates and the hosts of a certificate are read', async (t) => {
  const notBefore = new Date('2026-01-01T00:00:00.000Z')
  const notAfter = new Date('2026-04-01T00:00:00.000Z')
  const dates = { notBefore: notBefore.toISOString(), notAfter: notAfter.toISOString() }
  const read = readCertificate(await makeCertificate(host, { notBefore, notAfter }))
  t.strictSame(read, { issuer: 'Tests Self', ...dates, hosts: [host] })
  t.strictSame(readCertificate(await makeCertificate('127.0.0.1')).hosts, [])
})

t.test('a text that TLS cannot use is rejected', async (t) => {
  const [one, other] = [await makeCertificate(host), await makeCertificate(host)]
  const keyOf = (pem: string) => pem.slice(0, pem.indexOf('-----BEGIN CERTIFICATE'))
  const chainOf = (pem: string) => pem.slice(keyOf(pem).length)
  const unusable = ['', 'rubbish', keyOf(one), chainOf(one), keyOf(one) + chainOf(other), one.slice(0, -60)]
  for (const pem of [...unusable, await cutShort(one)]) t.throws(() => readCertificate(pem))
})

t.test('a certificate covers the hosts that it names', async (t) => {
  const other = await makeCertificate('other.example.com')
  t.equal(certifies(await makeCertificate(host), host), true)
  t.equal(certifies(other, host), false)
  t.equal(certifies('', host), false)
  t.throws(() => contextFor(other, host), { message: 'it is for other.example.com' })
})

t.test('of many certificates, each is read as it is', async (t) => {
  const pem = await makeCertificate(host)
  const issuedAt = '2026-01-01T00:00:00.000Z'
  const authorities = Array.from({ length: 102 }, (_, index) => `https://ca.test/${index}`)
  const read = authorities.map((authority) => readCertificate(withOrigin(pem, { authority, issuedAt })).authority)
  t.strictSame(read, authorities)
})
