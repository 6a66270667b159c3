import t from 'tap'
import { messageOf } from 'test-kit/message'
import { formatConfiguration, parseConfiguration } from '../../src/state/configuration.ts'

const shown = `{
  "domains": {
    "primary": "docs.example.com",
    "redirects": [
      {
        "from": "old.example.com",
        "to": "docs.example.com",
        "status": 301
      }
    ]
  }
}
`

t.test('the documented format is read, and written back unchanged', async (t) => {
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
  const redirects = '[{"from":"a.test","to":"b.test"},{"from":"c.test","to":"b.test","status":308}]'
  t.strictSame(
    [...parseConfiguration(`{"domains":{"primary":"b.test","redirects":${redirects}}}`, 'domains.json').redirects],
    [
      ['a.test', { to: 'b.test', status: 301 }],
      ['c.test', { to: 'b.test', status: 308 }],
    ],
  )
})

t.test('every error is reported on one line with its place', async (t) => {
  const errors: [text: string, message: string][] = [
    ['null', 'd.json: must be an object with the key "domains", an object'],
    ['{"domains":[]}', 'd.json: must be an object with the key "domains", an object'],
    [
      '{"domains":{"primary":1,"redirects":null}}',
      'd.json: domains.primary must be a domain\nd.json: domains.redirects must be a list',
    ],
    ['{"domains":{"domain":"a.test"}}', 'd.json: domains.domain must be a domain'],
    [
      '{"domains":{"redirects":[{"from":"b.test","to":"c.test"},{"from":"c.test","to":"d.test"}]}}',
      'd.json: domains.redirects[0].to must be a domain that does not redirect itself',
    ],
    [
      '{"domains":{"redirects":[{"from":"b.test"}]}}',
      'd.json: domains.redirects[0].to must be a domain that does not redirect itself',
    ],
    [
      '{"domains":{"primary":"a.test","redirects":[{"from":"b.test","to":"a.test"},{"from":"b.test","to":"a.test"}]}}',
      'd.json: domains.redirects[1].from b.test has a redirect already',
    ],
    [
      '{"domains":{"primary":"a.test","redirects":[7,{"from":"b.test","to":"a.test","status":303}]}}',
      'd.json: domains.redirects[0].from must be a domain\n' +
        'd.json: domains.redirects[0].to must be a domain that does not redirect itself\n' +
        'd.json: domains.redirects[1].status must be one of 301, 302, 307, 308',
    ],
  ]
  for (const [text, message] of errors) t.equal(await messageOf(() => parseConfiguration(text, 'd.json')), message)
  t.match(await messageOf(() => parseConfiguration('{"domains', 'd.json')), /^d\.json is not JSON: /)
})
