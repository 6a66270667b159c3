import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import t from 'tap'
import { IssueError, readCertificate, renewsAt, secureContextOf } from '../../../domains/certificates/certificate.ts'
import { makeCertificate } from '../../fixtures/certificate.ts'
import { messageOf } from '../../fixtures/message.ts'

const host = 'docs.example.com'

t.test('a certificate tells its issuer, its dates and its hosts', async (t) => {
  const notBefore = new Date('2026-01-01T00:00:00.000Z')
  const notAfter = new Date('2026-04-01T00:00:00.000Z')
  t.strictSame(readCertificate(await makeCertificate(host, { notBefore, notAfter })), {
    issuer: 'Tests Self',
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
    hosts: [host],
  })
  t.strictSame(readCertificate(await makeCertificate('127.0.0.1')).hosts, [])
})

t.test('what is no certificate with its key is refused', async (t) => {
  const [one, other] = [await makeCertificate(host), await makeCertificate(host)]
  const keyOf = (pem: string) => pem.slice(0, pem.indexOf('-----BEGIN CERTIFICATE'))
  const chainOf = (pem: string) => pem.slice(keyOf(pem).length)
  t.equal(
    await messageOf(() => readCertificate(keyOf(one) + chainOf(other))),
    'The key does not belong to the certificate.',
  )
  for (const pem of ['', 'rubbish', keyOf(one), chainOf(one), one.slice(0, -60)]) {
    t.throws(() => readCertificate(pem))
  }
})

t.test('a certificate is renewed with a third of its life left, or half of one under ten days', async (t) => {
  const notBefore = '2026-01-01T00:00:00.000Z'
  const lives: [notAfter: string, renewsAt: string][] = [
    ['2026-04-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'], // 90 days
    ['2026-01-11T00:00:00.000Z', '2026-01-07T16:00:00.000Z'], // 10 days
    ['2026-01-07T00:00:00.000Z', '2026-01-04T00:00:00.000Z'], // 6 days
    ['2026-01-01T00:01:00.000Z', '2026-01-01T00:00:30.000Z'], // a minute
  ]
  for (const [notAfter, time] of lives) t.equal(renewsAt({ notBefore, notAfter }).toISOString(), time)
})

t.test('TLS serves a certificate', async (t) => {
  const pem = await makeCertificate(host)
  const server = createServer({ SNICallback: (_name, done) => done(null, secureContextOf(pem)) }, (socket) => {
    socket.end('hello')
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, servername: host, ca: pem }).setEncoding('utf8')
  t.strictSame(await once(socket, 'data'), ['hello'])
  t.throws(() => secureContextOf('rubbish'))
})

t.test('an error carries its problem, says its detail, and how long to wait', async (t) => {
  const limited = new IssueError({ code: 'rate_limited', detail: 'Too many.' }, 60_000)
  t.match(limited, {
    message: 'Too many.',
    problem: { code: 'rate_limited', detail: 'Too many.' },
    retryAfterMs: 60_000,
  })
  const blocked = new IssueError({ code: 'caa_blocks', level: host, found: [], expected: '' })
  t.match(blocked, { message: 'caa_blocks', retryAfterMs: 0 })
})
