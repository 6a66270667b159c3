import t from 'tap'
import { messageOf } from 'test-kit/message'
import { formatConfiguration, parseConfiguration } from '../../src/state/configuration.ts'

t.test('the documented format is read, and written back unchanged', async (t) => {
  const redirects = [{ from: 'old.example.com', to: 'docs.example.com', status: 301 }]
  const shown = `${JSON.stringify({ domains: { primary: 'docs.example.com', redirects } }, null, 2)}\n`
  const configuration = parseConfiguration(shown, 'domains.json')
  t.strictSame(configuration, {
    roles: new Map([['primary', 'docs.example.com']]),
    redirects: new Map([['old.example.com', { to: 'docs.example.com', status: 301 }]]),
  })
  t.equal(formatConfiguration(configuration), shown)
})

t.test('everything is optional, and a redirect is 301 by default', async (t) => {
  const nothing = { roles: new Map(), redirects: new Map() }
  t.strictSame(parseConfiguration('{"domains":{}}', 'domains.json'), nothing)
  t.strictSame(JSON.parse(formatConfiguration(nothing)), { domains: { redirects: [] } })
  const text = '[{"from":"a.test","to":"b.test"},{"from":"c.test","to":"b.test","status":308}]'
  const { redirects } = parseConfiguration(`{"domains":{"primary":"b.test","redirects":${text}}}`, 'domains.json')
  const expected = { 'a.test': { to: 'b.test', status: 301 }, 'c.test': { to: 'b.test', status: 308 } }
  t.strictSame(Object.fromEntries(redirects), expected)
})

t.test('every error is reported on one line with its place', async (t) => {
  const noObject = ['must be an object with the key "domains", an object']
  const redirecting = 'domains.redirects[0].to must be a domain that does not redirect itself'
  const redirect = { from: 'b.test', to: 'a.test' }
  const errors: [value: unknown, ...messages: string[]][] = [
    [null, ...noObject],
    [{ domains: [] }, ...noObject],
    [
      { domains: { primary: 1, redirects: null } },
      'domains.primary must be a domain',
      'domains.redirects must be a list',
    ],
    [{ domains: { domain: 'a.test' } }, 'domains.domain must be a domain'],
    [{ domains: { redirects: [redirect, { from: 'a.test', to: 'd.test' }] } }, redirecting],
    [{ domains: { redirects: [{ from: 'b.test' }] } }, redirecting],
    [{ domains: { redirects: [redirect, redirect] } }, 'domains.redirects[1].from b.test has a redirect already'],
    [
      { domains: { redirects: [7, { ...redirect, status: 303 }] } },
      'domains.redirects[0].from must be a domain',
      redirecting,
      'domains.redirects[1].status must be one of 301, 302, 307, 308',
    ],
  ]
  for (const [value, ...messages] of errors) {
    const expected = messages.map((message) => `d.json: ${message}`).join('\n')
    t.equal(await messageOf(() => parseConfiguration(JSON.stringify(value), 'd.json')), expected)
  }
  t.match(await messageOf(() => parseConfiguration('{"domains', 'd.json')), /^d\.json is not JSON: /)
})
