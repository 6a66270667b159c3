import t from 'tap'
import { asAdmin } from '../../../store/postgres/admin.ts'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { authentication, hostileServer, login, message } from '../../postgres/hostile-server.ts'
import { connectionTo, openAt } from '../../postgres/orders.ts'

type Answers = Parameters<typeof hostileServer>[1]

const nonceOf = (first: string) => /r=([^,\0]+)/.exec(first)?.[1]
const continued: Answers[number] = (first) => authentication(11, `r=${nonceOf(first)}more,s=c2FsdA==,i=4096`)
const falseProof = Buffer.concat([authentication(12, `v=${'A'.repeat(43)}=`), login.none])

/** What a server in the middle may play, and the messages that the client may send until it notices. */
const plays: Record<string, [answers: Answers, most?: number]> = {
  'asks for nothing': [[login.none]],
  'asks for the password': [[login.password]],
  'asks for its MD5 hash': [[login.md5]],
  'offers SCRAM without channel binding': [[login.scram]],
  'asks for the password during SCRAM': [[login.plus, login.password], 1],
  'does not know the password': [[login.plus, continued, login.none], 2],
  'proves another password': [[login.plus, continued, falseProof], 2],
  'asks for Kerberos': [[login.gss]],
  'sends what is no message': [[message('R', '')]],
}

for (const [name, [answers, most = 0]] of Object.entries(plays)) {
  t.test(`channel binding ends the connection to a server that ${name}`, async (t) => {
    const { url, received } = await hostileServer(t, answers)
    const bound = `${url}&channel_binding=require`
    await t.rejects(asAdmin(connectionTo(bound), async ({ query }) => query({ text: 'SELECT 1' })))
    await openAt(bound, 200).then(
      async (opened) => {
        await t.rejects(opened.hasPet(1n))
        await opened.close()
      },
      () => {},
    )
    // 'X' is the end of a session.
    const logins = received.map((messages) => messages.filter((each) => !each.startsWith('X')))
    t.notMatch(logins.flat().join('\n'), /secret|SELECT|md5[0-9a-f]{32}/)
    t.ok(logins.flat().every((each) => each.startsWith('p')))
    t.equal(Math.max(...logins.map(({ length }) => length)), most)
  })
}

t.test('require_auth is enforced, and the message says what the server wanted', async (t) => {
  const cases = [
    ['scram-sha-256', 'password', 'password'],
    ['scram-sha-256', 'md5', 'md5'],
    ['scram-sha-256', 'none', 'none'],
    ['!password,!md5', 'password', 'password'],
    ['password,md5', 'scram', 'scram-sha-256'],
    ['gss,none', 'md5', 'md5'],
  ] as const
  for (const [required, kind, wanted] of cases) {
    const { url, received } = await hostileServer(t, [login[kind]])
    const running = asAdmin(parseConnectionString(url, { PGREQUIREAUTH: required }), async () => {})
    await t.rejects(running, { message: new RegExp(`wants the login ${wanted}, which require_auth forbids`) })
    t.strictSame(received.flat(), [], required)
  }
})

t.test('without a policy, a password is sent to the server that asks for it', async (t) => {
  const { url, received } = await hostileServer(t, [login.password, message('E', 'SFATAL\0C28P01\0Mno\0\0')])
  const running = asAdmin(connectionTo(url), async () => {})
  await t.rejects(running, { message: /rejects the password/ })
  t.match(received.flat(), [/^p.*secret/s])
})

t.test('a setting of require_auth that cannot be met is rejected', async (t) => {
  const message = /^has require_auth=/
  for (const PGREQUIREAUTH of ['kerberos', 'md5,!none', 'gss', '!none,!password,!md5,!scram-sha-256'])
    t.throws(() => parseConnectionString('postgres://a', { PGREQUIREAUTH }), { message }, PGREQUIREAUTH)
})

t.test('a pooler without room is waited for at the start, a false password is not', async (t) => {
  const start = async (fields: string, timeout = 200) => {
    const { url } = await hostileServer(t, [message('E', fields)])
    return (await openAt(url, timeout)).close()
  }
  await t.resolves(start('SFATAL\0CXX000\0M(EMAXCONN) max client connections reached\0\0'))
  await t.resolves(start('S致命错误\0C0A000\0Mno\0\0'))
  await t.resolves(start('SFATAL\0C53300\0Mtoo many clients\0\0'))
  await t.rejects(start('SFATAL\0C28P01\0Mno\0\0', 20_000), { message: /rejects the password/ })
  await t.rejects(start('SFATAL\0C3D000\0Mno such database\0\0', 20_000), { message: /Create it, or name another/ })
})
