// The log line of each step that an operator should see.
import type { Domain } from '../state/domain.ts'
import type { Step } from './transitions.ts'

export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export function logStep(log: Log, step: Step, { name, problem, notBefore }: Domain): void {
  const domain = name.host
  const details = { domain, problem, next: notBefore }
  if (step.kind === 'live') log.info({ domain }, 'the domain is live')
  if (step.kind === 'expired') log.error(details, 'the certificate has expired')
  if (step.kind !== 'failed') return
  if (step.error === undefined) log.warn(details, 'the attempt failed')
  else log.error({ err: step.error, ...details }, 'the attempt failed unexpectedly')
}
