import t from 'tap'
import { publicOnly } from '../../src/dns/address-policy.ts'

t.test('only public addresses are queried, at port 53', async (t) => {
  for (const address of ['8.8.8.8', '2a00:1450:4001:830::200e'])
    t.strictSame(publicOnly(address), { address, port: 53 })
  for (const address of [
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.0.2.1', '192.168.1.1'],
    ...['224.0.0.251', '240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '2001:db8::1'],
    ...['2002:a00:1::1', 'fc00::1', 'fe80::1', 'ff02::fb'],
  ])
    t.equal(publicOnly(address), undefined, address)
})
