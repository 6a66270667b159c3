// The checks between batches, and of the log at the end.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { play } from './play.ts'
import { readResponse } from './reader.ts'
import { latin1 } from './requests/message.ts'
import type { Server } from './server.ts'

const ANSWER_MS = 100
const TRIES = 10
/** On Node.js 20, V8's young generation keeps up to 48 MiB. */
const MEMORY_SLACK = (process.versions.node.startsWith('20.') ? 64 : 24) * 1024 * 1024
const MEMORY_TRIES = 40
const ERROR_LEVEL = 50

/** The list, over a new connection. */
export async function listOf(port: number, key: string): Promise<string> {
  return String(await request(port, `GET /v1/store/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}`))
}

async function request(port: number, head: string) {
  const pieces = [latin1(`${head}\r\nConnection: close\r\n\r\n`)]
  const { bytes } = await play({ kind: 'check', pieces, responses: [], end: 'wait' }, port)
  const reading = readResponse(bytes, 0, { method: 'GET' })
  if ('fault' in reading) throw new Error(`a normal request got no response: ${reading.fault}`)
  if (reading.response.status !== 200) throw new Error(`a normal request got ${reading.response.status}`)
  return reading.response.body
}

/**
 * A normal request gets its response within 100 ms. On a busy machine, some take longer, so the fastest of several counts.
 */
export async function respondsSoon(port: number, path = '/openapi.json'): Promise<{ ms: number; problems: string[] }> {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && best > ANSWER_MS; tries++) {
    const started = performance.now()
    await request(port, `GET ${path} HTTP/1.1\r\nHost: a`)
    best = Math.min(best, performance.now() - started)
  }
  return { ms: best, problems: best > ANSWER_MS ? [`a normal request takes ${Math.round(best)} ms`] : [] }
}

/** Memory returns to its level; buffers are released from time to time. @param before bytes */
export async function memoryReturns(server: Server, before: number): Promise<{ bytes: number; problems: string[] }> {
  let bytes = await server.memory()
  for (let tries = 0; tries < MEMORY_TRIES && bytes > before + MEMORY_SLACK; tries++) bytes = await server.memory()
  const isBack = bytes <= before + MEMORY_SLACK
  return { bytes, problems: isBack ? [] : [`memory is ${mib(bytes)}, before ${mib(before)}`] }
}

export const mib = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`

/** Every line of the log is JSON; none contains the key, a stack or an error. Nothing is written to stderr. */
export function logProblems({ stdout, stderr }: { stdout: string; stderr: string }, secret: string) {
  const problems = []
  const lines = readFileSync(stdout, 'latin1').split('\n')
  if (lines.pop() !== '') problems.push('the log does not end with a line')
  for (const line of lines) {
    const problem = lineProblem(line, secret)
    if (problem) problems.push(`${problem}: ${line.slice(0, 300)}`)
  }
  const errors = readFileSync(stderr, 'utf8')
  if (errors) problems.push(`stderr: ${errors.slice(0, 1000)}`)
  return problems
}

function lineProblem(line: string, secret: string) {
  if (line.includes(secret)) return 'the log has the key'
  try {
    const { level, time } = JSON.parse(line)
    if (typeof level !== 'number' || typeof time !== 'number') return 'a line without level or time'
    if (level >= ERROR_LEVEL) return 'an error in the log'
  } catch {
    return 'a line of the log that is no JSON'
  }
  return /"stack":|\\n +at /.test(line) ? 'a stack in the log' : undefined
}
