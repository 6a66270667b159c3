import t from 'tap'
import { logClockStep, logRequest, logStep } from '../../src/maintenance/log.ts'
import type { Step } from '../../src/maintenance/transitions.ts'
import { domainOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const problem = { code: 'record_missing' } as const
const notBefore = '2026-01-01T00:01:00.000Z'
const details = { domain: host, problem, next: notBefore }

t.test('the log shows what goes live, fails and expires, with the next retry', async (t) => {
  const error = new Error('EIO')
  const renewal = { start: '', end: '', at: '', explanationUrl: 'https://ca.test' }
  const lines: [step: Step, line: unknown[] | undefined][] = [
    [{ kind: 'progress', state: 'verifying' }, undefined],
    [{ kind: 'live', pem: '' }, ['info', { domain: host }, 'the domain is live']],
    [{ kind: 'live', pem: '', isConfirmed: true }, undefined],
    [{ kind: 'failed', problem }, ['warn', details, 'the attempt failed']],
    [{ kind: 'failed', problem, error }, ['error', { err: error, ...details }, 'the attempt failed unexpectedly']],
    [
      { kind: 'live', pem: '', isConfirmed: true, failures: [{ authority: 'https://ca.test', problem }] },
      ['warn', { domain: host, authority: 'https://ca.test', problem }, 'this authority issued no certificate'],
    ],
    [
      { kind: 'live', pem: '', isConfirmed: true, renewal },
      ['warn', { domain: host, explanation: 'https://ca.test' }, 'the authority explains when to renew'],
    ],
    [{ kind: 'expired' }, ['error', details, 'the certificate has expired']],
  ]
  for (const [step, line] of lines) {
    const written: unknown[] = []
    const write = (level: string) => (details: object, message: string) => void written.push(level, details, message)
    const log = { info: write('info'), warn: write('warn'), error: write('error') }
    logStep(log, step, domainOf(host, { problem, notBefore }))
    t.strictSame(written, line ?? [], step.kind)
  }
})

t.test('the log shows that the clock was set', async (t) => {
  const written: unknown[] = []
  const write = (...line: unknown[]) => void written.push(...line)
  logClockStep({ info: write, warn: write, error: write }, -3_600_400)
  t.strictSame(written, [{ seconds: -3600 }, 'the clock was set'])
})

t.test('a request that the ports reject is logged like any other, without its query', async (t) => {
  const lines: unknown[] = []
  const info = (details: object, message: string) => void lines.push({ ...details, message })
  const remoteAddress = '192.0.2.1'
  const request = { headers: { host }, socket: { remoteAddress } }
  const log = { info, warn: info, error: info }
  logRequest(log, { ...request, method: 'GET', url: '/docs?key=secret' }, 421)
  logRequest(log, request, 400)
  const line = { remoteAddress, method: 'GET', host, path: '/docs', status: 421, message: 'request completed' }
  t.strictSame(lines, [line, { ...line, method: undefined, path: '', status: 400 }])
})
