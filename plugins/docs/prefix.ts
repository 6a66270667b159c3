// The path below which a trusted proxy serves this server.
import { compile } from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'

export type PrefixOf = (request: FastifyRequest) => string

/** The returned function gives the path without a trailing slash, or ''. */
export function trustedPrefix(trustProxy: string[]): PrefixOf {
  const isTrusted = compile(trustProxy)
  return ({ headers, raw }) => {
    const prefix = String(headers['x-forwarded-prefix'] ?? '').replace(/\/$/, '')
    return /^(\/[\w.~-]+)+$/.test(prefix) && isTrusted(String(raw.socket.remoteAddress), 0) ? prefix : ''
  }
}
