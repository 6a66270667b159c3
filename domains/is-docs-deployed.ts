// Whether the documentation is deployed, which must be the case before a domain is added.
import { type IncomingMessage, request } from 'node:http'
import { request as requestSecurely } from 'node:https'

const TIMEOUT_MS = 5_000

export interface DocsAddress {
  host: string
  ports: { http: number; https: number }
}

/** Whether the documentation responds at the platform's own domain. Follows the redirect to HTTPS, if there is one. */
export async function isDocsDeployed({ host, ports }: DocsAddress, domain: string): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const target = { host, path: '/docs', headers: { host: domain }, signal, agent: false } as const
  const { statusCode, headers } = await ask(request({ ...target, port: ports.http }))
  if (statusCode !== 308 || headers.location !== `https://${domain}/docs`) return statusCode === 200
  // This process itself responds, so its certificate need not be trusted.
  const tls = { servername: domain, rejectUnauthorized: false }
  return (await ask(requestSecurely({ ...target, ...tls, port: ports.https }))).statusCode === 200
}

/** The response; without one, status 0 and no headers. */
function ask(pending: ReturnType<typeof request>) {
  return new Promise<Pick<IncomingMessage, 'statusCode' | 'headers'>>((resolve) => {
    pending.on('response', (response) => resolve(response.resume()))
    pending.on('error', () => resolve({ statusCode: 0, headers: {} }))
    pending.end()
  })
}
