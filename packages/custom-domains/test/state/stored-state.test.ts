import t from 'tap'
import { messageOf } from '../../../../test/fixtures/message.ts'
import { BrokenStateError, parseState } from '../../src/state/stored-state.ts'
import { domainOf } from '../fixtures/domains.ts'

const domain = domainOf('docs.shop.test')

t.test('the state is read as it was stored', async (t) => {
  const state = { domains: [domain], configuration: '{"domains":{}}' }
  t.strictSame(parseState(JSON.stringify(state), 'the state'), state)
})

t.test('an error is reported with its place', async (t) => {
  const errors: [state: unknown, message: string][] = [
    [null, 'it has no array of domains'],
    [{}, 'it has no array of domains'],
    [{ domains: [], outbox: {} }, 'outbox must be an array'],
    [{ domains: [domain, null] }, 'domains[1] has no name.host'],
    [{ domains: [{ ...domain, name: {} }] }, 'domains[0] has no name.host'],
    [
      { domains: [{ ...domain, state: 'alive' }] },
      'domains[0].state must be one of added, verifying, verified, issuing, live, failed',
    ],
    [{ domains: [{ ...domain, attempts: '1' }] }, 'domains[0].attempts must be a number'],
    [
      { domains: [], configuration: '{"domains":1}' },
      'configuration: must be an object with the key "domains", an object',
    ],
  ]
  for (const [state, error] of errors) {
    t.equal(
      await messageOf(() => parseState(JSON.stringify(state), 'state.json')),
      `state.json cannot be used: ${error}`,
    )
  }
  try {
    parseState('{"domains', 'state.json')
    t.fail('it was read')
  } catch (error) {
    t.ok(error instanceof BrokenStateError)
  }
})
