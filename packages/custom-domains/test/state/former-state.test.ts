import t from 'tap'
import { BrokenStateError, parseFormerState, recordsOf } from '../../src/state/former-state.ts'
import { domainOf } from '../fixtures/domains.ts'

const domain = domainOf('docs.shop.test')
const names = (text: string) =>
  recordsOf(parseFormerState(text, 'state.json')).map(({ kind, name }) => `${kind} ${name}`)

t.test('all parts of the state become records', async (t) => {
  const redirects = [{ from: 'old.shop.test', to: 'docs.shop.test', status: 308 }]
  const state = {
    domains: [domain],
    configuration: JSON.stringify({ domains: { primary: 'docs.shop.test', redirects } }),
    challenges: { token: 'key authorization' },
    backoffs: { 'https://ca.test': { from: '', until: '', problem: { code: 'record_missing' } } },
    accounts: { 'https://ca.test': 'https://ca.test/1' },
    revoked: { key: '2026-01-01T00:00:00.000Z' },
    orders: [{ authority: 'https://ca.test', host: 'docs.shop.test', at: 'now' }],
    outbox: [{ id: 'msg_1' }],
  }
  t.strictSame(names(JSON.stringify(state)), [
    'domain docs.shop.test',
    'primary ',
    'redirect old.shop.test',
    'message msg_1',
    'order now 0',
    'challenge token',
    'backoff https://ca.test',
    'account https://ca.test',
    'revoked key',
  ])
  t.strictSame(names('{"domains":[]}'), [])
})

t.test('a state that cannot be used is named', async (t) => {
  for (const [text, reason] of [
    ['{"domains', /^state.json cannot be used: .*JSON/],
    ['null', /it has no array of domains$/],
    ['{"domains":{}}', /it has no array of domains$/],
    ['{"domains":[null]}', /domains\[0\] has no name.host$/],
    ['{"domains":[],"configuration":"{"}', /configuration is not JSON/],
  ] as const) {
    t.throws(() => parseFormerState(text, 'state.json'), { constructor: BrokenStateError, message: reason })
  }
})
