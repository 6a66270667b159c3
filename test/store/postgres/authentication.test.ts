import t from 'tap'
import { asAdmin } from '../../../store/postgres/admin.ts'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { openPostgresStore } from '../../../store/postgres/open.ts'
import { authentication, hostileServer, login, message, ready } from '../../postgres/hostile-server.ts'

type Answers = Parameters<typeof hostileServer>[1]

const always =
  (bytes: Buffer): Answers[number] =>
  () =>
    bytes
const nonceOf = (first: string) => /r=([^,\0]+)/.exec(first)?.[1]
const continued: Answers[number] = (first) => authentication(11, `r=${nonceOf(first)}more,s=c2FsdA==,i=4096`)
const letIn = Buffer.concat([authentication(0), ready])
const falseProof = Buffer.concat([authentication(12, `v=${'A'.repeat(43)}=`), letIn])
const silent = () => {}

/** What a server in the middle may play, and the messages that the client may send until it notices. */
const plays: Record<string, { answers: Answers; most?: number }> = {
  'asks for nothing': { answers: [always(login.none)] },
  'asks for the password': { answers: [always(login.password)] },
  'asks for its MD5 hash': { answers: [always(login.md5)] },
  'offers SCRAM without channel binding': { answers: [always(login.scram)] },
  'asks for the password during SCRAM': { answers: [always(login.plus), always(login.password)], most: 1 },
  'does not know the password': { answers: [always(login.plus), continued, always(letIn)], most: 2 },
  'proves another password': { answers: [always(login.plus), continued, always(falseProof)], most: 2 },
  'asks for Kerberos': { answers: [always(login.gss)] },
  'sends what is no message': { answers: [always(message('R', ''))] },
}

for (const [name, { answers, most = 0 }] of Object.entries(plays)) {
  t.test(`channel binding ends the connection to a server that ${name}`, async (t) => {
    const { url, received } = await hostileServer(t, answers)
    const connection = parseConnectionString(`${url}&channel_binding=require`, {})
    await t.rejects(asAdmin(connection, async ({ query }) => query({ text: 'SELECT 1' })))
    const store = openPostgresStore({ connection, poolSize: 1, timeout: 200 }, silent)
    await store.then(
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
    const { url, received } = await hostileServer(t, [always(login[kind])])
    const connection = parseConnectionString(url, { PGREQUIREAUTH: required })
    await t.rejects(
      asAdmin(connection, async () => {}),
      { message: new RegExp(`wants the login ${wanted}, which require_auth forbids`) },
    )
    t.strictSame(received.flat(), [], required)
  }
})

t.test('without a policy, a password is sent to the server that asks for it', async (t) => {
  const { url, received } = await hostileServer(t, [
    always(login.password),
    always(message('E', 'SFATAL\0C28P01\0Mno\0\0')),
  ])
  await t.rejects(
    asAdmin(parseConnectionString(url, {}), async () => {}),
    { message: /rejects the password/ },
  )
  t.match(received.flat(), [/^p.*secret/s])
})

t.test('a setting of require_auth that cannot be met is rejected', async (t) => {
  for (const text of ['kerberos', 'md5,!none', 'gss', '!none,!password,!md5,!scram-sha-256'])
    t.throws(
      () => parseConnectionString('postgres://a', { PGREQUIREAUTH: text }),
      { message: /^has require_auth=/ },
      text,
    )
})

t.test('a pooler without room is waited for at the start, a false password is not', async (t) => {
  const start = async (fields: string, timeout = 200) => {
    const { url } = await hostileServer(t, [always(message('E', fields))])
    const connection = parseConnectionString(url, {})
    return (await openPostgresStore({ connection, poolSize: 1, timeout }, silent)).close()
  }
  await t.resolves(start('SFATAL\0CXX000\0M(EMAXCONN) max client connections reached\0\0'))
  await t.resolves(start('S致命错误\0C0A000\0Mno\0\0'))
  await t.resolves(start('SFATAL\0C53300\0Mtoo many clients\0\0'))
  await t.rejects(start('SFATAL\0C28P01\0Mno\0\0', 20_000), { message: /rejects the password/ })
  await t.rejects(start('SFATAL\0C3D000\0Mno such database\0\0', 20_000), { message: /Create it, or name another/ })
})
