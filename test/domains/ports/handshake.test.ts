import { once } from 'node:events'
import t from 'tap'
import { handshake } from '../../../domains/ports/handshake.ts'
import { openPorts, routingOf } from '../../fixtures/ports.ts'

t.test('a text that is not a certificate is rejected', async (t) => {
  const { snapshot } = routingOf({ states: { 'docs.shop.test': 'live' } })
  t.throws(() => handshake(() => snapshot).useCertificate('docs.shop.test', 'rubbish'))
})

for (const protocol of ['h2', 'http/1.1']) {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    t.test(`a session of ${maxVersion} for ${protocol} is not resumed once the ticket keys have changed`, async (t) => {
      const host = 'docs.shop.test'
      const routing = routingOf({ states: { [host]: 'live' } })
      const { dialSecurely } = await openPorts(t, () => routing, undefined, { ticketKeysMs: 50 })
      const options = { maxVersion, ALPNProtocols: [protocol] }
      const [session] = await once(dialSecurely(host, options).resume(), 'session')
      async function isResumed() {
        const socket = dialSecurely(host, { ...options, session })
        await once(socket, 'secureConnect')
        return socket.isSessionReused()
      }
      while (await isResumed());
      t.pass('a full handshake')
    })
  }
}
