import t from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { certificateId } from '../../src/acme/renewal-info.ts'

// The example of RFC 9773, section 4.1
const authorityKey = '69885b6b87464041e1b37b847ba0ae2cde01c8d4'

t.test('a certificate is identified by the key of its authority and its serial number', async (t) => {
  for (const [serialNumber, id] of Object.entries({ '0087654321': 'AIdlQyE', '07654321': 'B2VDIQ' })) {
    const pem = await makeCertificate('docs.shop.test', { authorityKey, serialNumber })
    t.equal(certificateId(pem), `aYhba4dGQEHhs3uEe6CuLN4ByNQ.${id}`)
  }
})

t.test('a certificate without that key, or with another form of it, has no identifier', async (t) => {
  t.equal(certificateId(await makeCertificate('docs.shop.test')), undefined)
  t.equal(certificateId(await makeCertificate('docs.shop.test', { authorityKey: '' })), undefined)
  const long = await makeCertificate('docs.shop.test', { authorityKey: '11'.repeat(200) })
  t.equal(certificateId(long), undefined)
})
