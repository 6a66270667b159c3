// Finds ports and addresses that cannot be opened.
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from './environment.ts'

interface Port {
  variable: string
  host: string
  port: number
}

const everywhere = new Set(['', '0.0.0.0', '::'])

/** A line for each pair of variables that name the same port. Port 0 is any free one. */
export function portProblems({ host, port, metrics, domains }: Pick<Config, 'host' | 'port' | 'metrics' | 'domains'>) {
  const ports: Port[] = [
    { variable: 'PORT', host, port },
    ...(metrics ? [{ variable: 'METRICS_PORT', ...metrics }] : []),
    ...(domains ? [{ variable: 'HTTP_PORT', host: '', port: domains.ports.http }] : []),
    ...(domains ? [{ variable: 'HTTPS_PORT', host: '', port: domains.ports.https }] : []),
  ]
  return ports.flatMap((taken, index) =>
    ports
      .slice(index + 1)
      .flatMap((other) =>
        collide(taken, other) ? `${taken.variable} and ${other.variable} are both ${taken.port}` : [],
      ),
  )
}

function collide(taken: Port, other: Port): boolean {
  const isSameHost = taken.host === other.host || everywhere.has(taken.host) || everywhere.has(other.host)
  return taken.port === other.port && taken.port !== 0 && isSameHost
}

/** A line for each address that this machine does not have. Opens any free port there, and closes it again. */
export async function hostProblems({ host, metrics }: Pick<Config, 'host' | 'metrics'>): Promise<string[]> {
  const named = [['HOST', host], ...(metrics ? [['METRICS_HOST', metrics.host]] : [])] as const
  const problems = await Promise.all(
    named.map(async ([variable, address]) => {
      const server = createServer()
      try {
        await once(server.listen(0, address), 'listening')
        await once(server.close(), 'close')
        return []
      } catch (error) {
        return [`${variable}: ${(error as Error).message}. It must be an address of this machine.`]
      }
    }),
  )
  return problems.flat()
}
