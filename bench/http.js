// Sends single requests, for the checks before measuring.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { KEY } from './servers.js'

/**
 * @param {string} url
 * @param {{ method?: string, headers?: Record<string, string>, deadline?: number }} [options] `deadline` in ms
 */
export async function ask(url, { method = 'GET', headers = {}, deadline = 60_000 } = {}) {
  const begin = performance.now()
  const asked = request(url, {
    method,
    headers: { authorization: `Bearer ${KEY}`, connection: 'keep-alive', ...headers },
    agent: false,
    signal: AbortSignal.timeout(deadline),
  }).end()
  const [response] = await once(asked, 'response')
  const chunks = []
  for await (const chunk of response) chunks.push(chunk)
  return {
    status: response.statusCode,
    headers: response.headers,
    body: Buffer.concat(chunks),
    seconds: (performance.now() - begin) / 1000,
  }
}

/** @param {Buffer} bytes */
export const digestOf = (bytes) => createHash('sha256').update(bytes).digest('hex')
