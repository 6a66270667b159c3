// The server, and express-openapi-validator with the same document. Both respond with what they read, as JSON.
import { once } from 'node:events'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Document } from 'exact-openapi'
import { plainCopy } from 'exact-openapi/model'
import { stringify } from 'lossless-json'
import { documentApp } from 'test-kit/document-app'
import type { FuzzRequest } from './requests.ts'

export interface Verdict {
  status: number
  /** What was read, or why not. */
  body: string
}

export type Send = (request: FuzzRequest) => Promise<Verdict>

interface Peer {
  send: Send
  close(): Promise<void>
}

export async function ownServer(document: Document): Promise<Peer> {
  const stub = async (input: object) => ({ status: 200, type: 'text/plain', body: String(stringify(input)) })
  const { app } = await documentApp(document, { stub, checkResponses: false })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { send: sender(app.server), close: () => app.close() }
}

/**
 * @param packages the folder of the installed packages
 * @param coerceTypes whether fields of bodies are converted: it does not tell forms from JSON
 */
export async function otherServer(document: Document, packages: string, coerceTypes: boolean): Promise<Peer> {
  const require = createRequire(`${resolve(packages)}/`)
  const express = require('express')
  const validator = require('express-openapi-validator')
  const app = express()
  app.use(require('cookie-parser')(undefined, { decode: (text: string) => text }))
  app.use(express.json({ strict: false }), express.text(), express.urlencoded({ extended: false }))
  const apiSpec = { ...withStyles(plainCopy(document)), servers: [{ url: '/v1' }] }
  const validateRequests = { allowUnknownQueryParameters: true, coerceTypes }
  app.use(validator.middleware({ apiSpec, validateRequests, validateResponses: false, validateSecurity: false }))
  app.use((request: Read, response: { json(value: unknown): void }) => {
    const { params, openapi, query, headers, cookies, body } = request
    response.json({ path: openapi?.pathParams ?? params, query, headers, cookies, body })
  })
  app.use((error: { status?: number; message: string }, _request: unknown, response: Failing, _next: unknown) => {
    response.status(error.status ?? 500).send(error.message)
  })
  const server = createServer(app)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { send: sender(server), close: async () => void server.close().closeAllConnections() }
}

/** It does not know the default styles of headers and cookies. */
function withStyles(node: unknown): object {
  const text = JSON.stringify(node, (_key, value) => {
    const isGiven = value?.style || !/^(header|cookie)$/.test(value?.in)
    return isGiven ? value : { ...value, style: value.in === 'header' ? 'simple' : 'form' }
  })
  return JSON.parse(text)
}

type Read = Record<'params' | 'query' | 'headers' | 'cookies' | 'body', unknown> & { openapi?: { pathParams: unknown } }

interface Failing {
  status(status: number): { send(text: string): void }
}

function sender(server: Server): Send {
  const { port } = server.address() as AddressInfo
  return async ({ method, path, headers, body }) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = httpRequest({ port, host: '127.0.0.1', method, path, headers: { ...headers, ...length } })
    const [response] = await once(request.end(body), 'response')
    return { status: Number(response.statusCode), body: await text(response) }
  }
}
