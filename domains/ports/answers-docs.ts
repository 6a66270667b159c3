// Checks that the documentation is deployed: reachable at the platform's own domain.
import { request } from 'node:http'

const TIMEOUT_MS = 5_000

export async function answersDocs({ host, port }: { host: string; port: number }, domain: string): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  return new Promise((resolve) => {
    const pending = request({ host, port, path: '/docs', headers: { host: domain }, signal })
    pending.on('response', (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    pending.on('error', () => resolve(false))
    pending.end()
  })
}
