// A server for a statement, and requests to it.
import { modelOf } from 'exact-openapi/model'
import type { Test } from 'tap'
import { loadDocument } from '../../spec/document.ts'
import { answers, requests } from '../document-walk/answers.ts'
import type { TestRequest } from '../document-walk/requests.ts'
import { authorization, build } from '../fixtures/app.ts'

/** Checks a statement, given as written, against a server. */
export type Check = (t: Test, statement: string) => Promise<unknown>

export const document = loadDocument()
export const model = modelOf(document)
export const { info } = model
export { answers }
/** Of a status that begins so, what any client can send. */
export const requestsFor = (status: string) =>
  requests.filter((one) => one.status.startsWith(status) && !one.whySkipped)
export const list = '/store/orders'
export const order = (id: number | string) => `${list}/${id}`
export const pet = (id: number | string) => `/pets/${id}`

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

export async function serve(t: Test, options?: Parameters<typeof build>[1]) {
  const app = await build(t, options)
  /** With a body as JSON, if any. */
  const ask = async (method: Method, path: string, headers: Record<string, string> = {}, payload?: object) => {
    const request = { method, url: `/v1${path}`, headers: { authorization, ...headers }, ...(payload && { payload }) }
    const response = await app.inject(request)
    const { statusCode: status, headers: received, body } = response
    return { status, headers: received, body: /^[[{]/.test(body) ? response.json() : body }
  }
  /** Sends a request of the walk. */
  const send = ({ method, path, headers, body }: TestRequest) => {
    const request = { method: method as Method, url: `/v1${path}`, headers: { authorization, ...headers } }
    return app.inject({ ...request, ...(body && { body }) })
  }
  /** The identifiers in the list. */
  const listed = async () => (await ask('GET', list)).body.map(({ id }: { id: number }) => id)
  return { app, ask, send, listed }
}

/** The responses that a statement is about, by its id: `cancelOrder-204`, `responses-503` or `headers-ETag`. */
export function answersFor(statement: string) {
  const [, owner = '', part = ''] = /^(\w+)-([\w-]+): /.exec(statement) ?? []
  const found = answers.filter(({ operationId, declared, headers }) => {
    if (owner === 'headers') return part.toLowerCase() in headers
    return declared === part && (owner === 'responses' || owner === operationId)
  })
  return found.map((answer) => ({ ...answer, value: String(answer.headers[part.toLowerCase()]) }))
}

/** The code in a statement, between backquotes. */
export function codesIn(statement: string): string[] {
  return [...statement.matchAll(/`([^`]+)`/g)].map(([, code]) => String(code))
}

/** The numbers in a statement. */
export function numbersIn(statement: string): number[] {
  return [...statement.replaceAll(',', '').matchAll(/\d+/g)].map(([digits]) => Number(digits))
}
