import * as x509 from '@peculiar/x509'
import t from 'tap'
import { createKey } from '../../src/acme/account-keys.ts'
import { signingRequest } from '../../src/acme/csr.ts'

t.test('a request is signed and names its host, however long it is', async (t) => {
  const key = createKey()
  for (let length = 1; length <= 253; length++) {
    const host = 'a'.repeat(length)
    const request = new x509.Pkcs10CertificateRequest(signingRequest(host, key))
    const [names] = request.extensions.filter((each) => each instanceof x509.SubjectAlternativeNameExtension)
    t.strictSame([names?.names.toJSON(), await request.verify()], [[{ type: 'dns', value: host }], true])
  }
})
