// What a browser shows of a domain in each state, beside the hint that the dashboard gives.
import t from 'tap'
import type { Domain } from '../../packages/custom-domains/src/state/domain.ts'
import { hintOf } from '../../packages/custom-domains/src/texts/summary.ts'
import { openPorts, routingOf } from '../../packages/custom-domains/test/fixtures/ports.ts'
import { domainOf } from '../../packages/custom-domains/test/fixtures/registry.ts'
import { launch } from './fixture.ts'

const host = 'docs.shop.test'
const problem = { code: 'ca_unavailable', detail: 'No.' } as const

t.test('until a domain is live, its hint names the error that Chromium shows', async (t) => {
  let routing = routingOf({ states: { [host]: 'added' } })
  const { ports } = await openPorts(t, () => routing)
  const browser = await launch(t, [`--host-resolver-rules=MAP ${host} 127.0.0.1:${ports.https}`])
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  /** The status, or the error, in a new tab. */
  async function shown() {
    const page = await context.newPage()
    return page.goto(`https://${host}/`).then(
      (response) => response?.status(),
      ({ message }) => /net::(\w+)/.exec(message)?.[1] ?? message,
    )
  }
  for (const state of ['added', 'verifying', 'verified', 'issuing', 'failed'] satisfies Domain['state'][]) {
    routing = routingOf({ states: { [host]: state } })
    const error = await shown()
    t.equal(error, 'ERR_SSL_VERSION_OR_CIPHER_MISMATCH', state)
    const hint = hintOf(domainOf(host, { state, ...(state === 'failed' && { problem }) }), new Date())
    const isVerified = state !== 'added' && state !== 'verifying'
    t.equal(hint?.includes(String(error)) ?? false, isVerified, `the hint: ${hint}`)
  }
  routing = routingOf({ states: { [host]: 'live' } })
  t.equal(await shown(), 200, 'no error is cached')
})
