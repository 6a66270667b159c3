import t from 'tap'
import { ipMatcher, networkOf, normalizeIp } from '../src/addresses.ts'

const notations: [text: string | undefined, address: string][] = [
  ['203.0.113.8', '203.0.113.8'],
  ['203.0.113.8:50001', '203.0.113.8'],
  ['[203.0.113.8]:50001', '203.0.113.8'],
  ['::ffff:203.0.113.8', '203.0.113.8'],
  ['::FFFF:cb00:7108', '203.0.113.8'],
  ['[::ffff:203.0.113.8]:443', '203.0.113.8'],
  ['2001:db8::1', '2001:db8::1'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:443', 'fe80::1'],
  ['unknown', 'unknown'],
  ['0x7f.1', '0x7f.1'],
  ['203.0.113.999:1', '203.0.113.999:1'],
  ['x'.repeat(100), 'x'.repeat(64)],
  [undefined, ''],
]

t.test('an address is read in every notation', async (t) => {
  for (const [text, address] of notations) t.equal(normalizeIp(text), address, `${text}`)
})

t.test('a client is an IPv4 address or an IPv6 network, with or without a port', async (t) => {
  t.equal(networkOf('203.0.113.8:1'), networkOf('203.0.113.8'))
  t.equal(networkOf('[2001:db8::1]:1'), networkOf('2001:db8:0:0:ffff::1'))
  t.not(networkOf('[2001:db8::1]:1'), networkOf('2001:db8:0:1::1'))
  t.not(networkOf('117::1'), networkOf('c03::1'), 'digits that run together')
  t.equal(networkOf(undefined), networkOf(''), 'a client that has disconnected')
})

t.test('a proxy is trusted in every notation', async (t) => {
  const isProxy = ipMatcher(['203.0.113.8', 'fe80::/10'])
  for (const [text, address] of notations)
    t.equal(isProxy(text), address === '203.0.113.8' || address === 'fe80::1', `${text}`)
})
