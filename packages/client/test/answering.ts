// A server with scripted responses, for what the real one does not send on demand.
import { createServer } from 'node:http'
import type { Test } from 'tap'
import { listen } from 'test-kit/ports'

export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** Sends these responses in order, and the last one to all further requests. */
export async function answering(t: Test, ...answers: [Answer, ...Answer[]]) {
  const received: string[] = []
  const server = createServer(({ method, url, headers }, response) => {
    const { status, headers: sent = {}, body } = answers[Math.min(received.length, answers.length - 1)] as Answer
    received.push(`${method} ${url} ${headers.authorization}`)
    response.writeHead(status, sent).end(body)
  })
  return { baseUrl: `http://127.0.0.1:${await listen(t, server)}/v1`, received }
}

export function json(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}

export function errorAnswer(status: number, code: string, headers: Record<string, string> = {}): Answer {
  return json(status, JSON.stringify({ code, message: 'Not now.', status }), headers)
}

/** The error that a call rejects with. */
export const failureOf = (call: () => Promise<unknown>): Promise<Error> =>
  call().then(
    () => new Error('It did not fail.'),
    (error) => error,
  )
