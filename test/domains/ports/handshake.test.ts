import t from 'tap'
import { handshake } from '../../../domains/ports/handshake.ts'
import { routingOf } from '../../fixtures/ports.ts'

t.test('a text that is not a certificate is rejected', async (t) => {
  const { snapshot } = routingOf({ states: { 'docs.shop.test': 'live' } })
  t.throws(() => handshake(() => snapshot).useCertificate('docs.shop.test', 'rubbish'))
})
