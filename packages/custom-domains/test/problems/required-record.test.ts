import t from 'tap'
import { recordFor } from '../../src/problems/required-record.ts'
import type { DomainName } from '../../src/state/domain.ts'

const target = 'cname.platform.test'
const docs: DomainName = { host: 'docs.example.com', kind: 'subdomain', zone: 'example.com', label: 'docs' }
const apex: DomainName = { host: 'example.com', kind: 'apex', zone: 'example.com', label: '@' }

const apexNote =
  'An apex domain cannot have a CNAME record. Some DNS providers call ALIAS records ANAME. If your provider supports ' +
  'neither, use a subdomain.'

t.test('a subdomain needs a CNAME record, an apex domain an ALIAS', async (t) => {
  t.strictSame(recordFor(docs, target), { type: 'CNAME', name: 'docs', value: target, ttl: 3600, note: '' })
  t.strictSame(recordFor(apex, target), { type: 'ALIAS', name: '@', value: target, ttl: 3600, note: apexNote })
})
