// Domains as lines of output.
import type { components } from '../api/dashboard.d.ts'

export type Domain = components['schemas']['Domain']
type Platform = components['schemas']['Domains']['platform']

export function lineOf(domain: Domain): string {
  return `${domain.domain}  ${[domain.state, ...marksOf(domain)].join(', ')}: ${domain.summary}`
}

export function marksOf({ isPrimary, redirect }: Domain): string[] {
  const verb = redirect?.isActive ? 'redirects' : 'will redirect'
  return [...(isPrimary ? ['primary'] : []), ...(redirect ? [`${verb} to ${redirect.to} with ${redirect.status}`] : [])]
}

export function recordOf({ record: { type, name, value, ttl } }: Domain): string {
  return `  ${type}  ${name}  ${value}  TTL ${ttl}`
}

/** A line where the platform's own domain has a problem. */
export function platformNotice({ domain, certificate, problem }: Platform): string[] {
  return problem ? [`${domain} has ${certificate ? 'a problem' : 'no certificate yet'}: ${problem.message}`] : []
}
