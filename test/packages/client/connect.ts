// A client connected to a real server.
import type { Test } from 'tap'
import { type ClientOptions, createClient } from '../../../packages/client/index.ts'
import { build, key } from '../../fixtures/app.ts'

/** The server has these records, or the sample; `statuses` are those of its responses so far. */
export async function connect(t: Test, { records, ...options }: Partial<ClientOptions> & { records?: string[] } = {}) {
  const app = await build(t, records ? { records } : {})
  const statuses: number[] = []
  app.addHook('onResponse', async (_request, { statusCode }) => void statuses.push(statusCode))
  const baseUrl = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`
  return { app, client: createClient({ baseUrl, apiKey: key, ...options }), statuses }
}
