// Outgoing HTTP requests. Those over TLS go through a proxy if there is one for their host.
import { once } from 'node:events'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { type Agent, request as requestHttps } from 'node:https'
import { ProxyAgent, type ProxyEnv } from './proxy-agent.ts'

export type { ProxyEnv }

/** Its connections stay open until it is destroyed. */
export function openAgent(options: { ca?: string | undefined; proxyEnv?: ProxyEnv | undefined }): Agent {
  return new ProxyAgent({ ...options, keepAlive: true })
}

export interface Outgoing extends Pick<RequestOptions, 'method' | 'headers'> {
  agent: Agent
  body?: string | undefined
  signal: AbortSignal
}

/** Resolves with the response once its headers have arrived. @throws any error of the connection, and of the signal */
export async function request(url: string, { body, agent, ...options }: Outgoing): Promise<IncomingMessage> {
  const pending = url.startsWith('https:') ? requestHttps(url, { ...options, agent }) : requestHttp(url, options)
  pending.on('error', () => {}) // those after the signal, too
  pending.end(body)
  const [response] = (await once(pending, 'response', { signal: options.signal })) as [IncomingMessage]
  return response
}

/** The body as text. @throws an error on one that is longer, or cut short */
export async function textOf(response: IncomingMessage, longest: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longest) throw new Error(`the response is longer than ${longest} bytes`) // which ends the connection
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
