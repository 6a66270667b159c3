// The log line of each step that an operator should see.
import type { Domain } from '../state/domain.ts'
import type { Failed, Step } from './transitions.ts'

export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export function logClockStep(log: Log, ms: number): void {
  log.warn({ seconds: Math.round(ms / 1000) }, 'the clock was set')
}

interface RefusedRequest {
  method?: string | undefined
  url?: string | undefined
  headers: { host?: string | undefined }
  socket: { remoteAddress?: string | undefined }
}

/** The request in the format of the API's log, without its query. */
export function logRequest(log: Log, { method, url = '', headers, socket }: RefusedRequest, status: number): void {
  const { remoteAddress } = socket
  const path = url.replace(/\?.*/s, '')
  log.info({ remoteAddress, method, host: headers.host, path, status }, 'request completed')
}

export function logStep(log: Log, step: Step, { name, problem, notBefore }: Domain): void {
  const domain = name.host
  const details = { domain, problem, next: notBefore }
  const { failures = [] }: Pick<Failed, 'failures'> & { kind: string } = step
  for (const failure of failures) log.warn({ domain, ...failure }, 'this authority issued no certificate')
  if (step.kind === 'live' && !step.isConfirmed) log.info({ domain }, 'the domain is live')
  const explanation = step.kind === 'live' ? step.renewal?.explanationUrl : undefined
  if (explanation !== undefined) log.warn({ domain, explanation }, 'the authority explains when to renew')
  if (step.kind === 'expired') log.error(details, 'the certificate has expired')
  if (step.kind !== 'failed') return
  if (step.error === undefined) log.warn(details, 'the attempt failed')
  else log.error({ err: step.error, ...details }, 'the attempt failed unexpectedly')
}
