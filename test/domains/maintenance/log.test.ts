import t from 'tap'
import { logStep } from '../../../domains/maintenance/log.ts'
import type { Step } from '../../../domains/maintenance/transitions.ts'
import { domainOf } from '../../fixtures/domains.ts'

const host = 'docs.shop.test'
const problem = { code: 'record_missing' } as const
const notBefore = '2026-01-01T00:01:00.000Z'
const details = { domain: host, problem, next: notBefore }

t.test('an operator sees what goes live, fails and expires, with the next retry', async (t) => {
  const error = new Error('EIO')
  const lines: [step: Step, line: unknown[] | undefined][] = [
    [{ kind: 'progress', state: 'verifying' }, undefined],
    [{ kind: 'live', pem: '' }, ['info', { domain: host }, 'the domain is live']],
    [{ kind: 'failed', problem }, ['warn', details, 'the attempt failed']],
    [{ kind: 'failed', problem, error }, ['error', { err: error, ...details }, 'the attempt failed unexpectedly']],
    [{ kind: 'expired' }, ['error', details, 'the certificate has expired']],
  ]
  for (const [step, line] of lines) {
    const written: unknown[] = []
    const write = (level: string) => (details: object, message: string) => void written.push(level, details, message)
    logStep(
      { info: write('info'), warn: write('warn'), error: write('error') },
      step,
      domainOf(host, { problem, notBefore }),
    )
    t.strictSame(written, line ?? [], step.kind)
  }
})
