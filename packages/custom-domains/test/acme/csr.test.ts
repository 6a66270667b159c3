import { generateKeyPairSync } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import t from 'tap'
import { signingRequest } from '../../src/acme/csr.ts'

t.test('a request names its host, however long it is', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  for (let length = 1; length <= 253; length++) {
    const host = 'a'.repeat(length)
    const { extensions } = new x509.Pkcs10CertificateRequest(signingRequest(host, key))
    const [names] = extensions.filter((each) => each instanceof x509.SubjectAlternativeNameExtension)
    t.strictSame(names?.names.toJSON(), [{ type: 'dns', value: host }])
  }
})
