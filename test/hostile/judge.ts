// Compares the bytes of a connection with the responses that its requests must get.
import { type Response, readResponse } from './reader.ts'
import type { Expected, Received, Script } from './types.ts'

/** What a response says about an order; status 0: the response is unknown. */
export interface Outcome {
  order: bigint
  status: number
  code?: string
}

export interface Verdict {
  problems: string[]
  outcomes: Outcome[]
}

/** The header that a response of this status must have. */
const requiredHeaders: Record<number, string> = { 401: 'www-authenticate', 405: 'allow' }

/**
 * @param options relaxed: allows any status below 500, 501, 503 with Retry-After, rejections as text,
 * and responses before the body, after which a fault in the body closes the connection
 */
export function judge(script: Script, { bytes, ended }: Received, options: { isRelaxed?: boolean } = {}): Verdict {
  const { isRelaxed = false } = options
  const { responses, end, isLossy = false } = script
  const verdict: Verdict = { problems: [], outcomes: [] }
  let offset = 0
  let isClosing = false
  let mayReset = end === 'reset'
  for (const [index, expected] of responses.entries()) {
    const nth = `response ${index + 1} of ${responses.length}`
    if (offset === bytes.length) {
      if (isRelaxed && index > 0 && responses[index - 1]?.closes !== 'never') break
      const isReset = end === 'reset'
      const isLost = isLossy && ended === 'reset' && expected.closes !== 'never'
      if (isLost || expected.isOptional) mayReset = true
      else if (!isReset && !expected.isOptional) verdict.problems.push(`${nth} is missing`)
      if (isReset || !expected.isOptional) forget(responses.slice(index), verdict)
      break
    }
    const reading = readResponse(bytes, offset, expected)
    if ('fault' in reading) {
      if (!(reading.isCut && end === 'reset')) verdict.problems.push(`${nth}: ${reading.fault}`)
      forget(responses.slice(index), verdict)
      return verdict
    }
    const { response } = reading
    offset = response.next
    isClosing = isClosingResponse(response)
    const isLast = index === responses.length - 1
    const mayClose = isRelaxed || (isLast && end === 'fin')
    const problems = problemsOf(response, expected, { isClosing, isRelaxed, mayClose })
    verdict.problems.push(...problems.map((problem) => `${nth}: ${problem}`))
    if (expected.order !== undefined && (!expected.isMutant || response.status === 204))
      verdict.outcomes.push({ order: expected.order, status: response.status, code: codeOf(response) })
    if (isClosing) break
  }
  if (offset < bytes.length) {
    const rest = bytes.toString('latin1', offset, offset + 80)
    verdict.problems.push(`${bytes.length - offset} bytes after the last response: ${JSON.stringify(rest)}`)
  }
  if (ended === 'deadline') verdict.problems.push('the connection stays open')
  if (ended === 'reset' && !isClosing && !mayReset) verdict.problems.push('the connection is reset')
  return verdict
}

/** The orders of missing responses may be cancelled or not. */
function forget(responses: Expected[], { outcomes }: Verdict) {
  for (const { order } of responses) if (order !== undefined) outcomes.push({ order, status: 0 })
}

function isClosingResponse({ headers }: Response) {
  return (headers.get('connection') ?? '').toLowerCase().split(/ *, */).includes('close')
}

/** This server's JSON has no line ends. */
function isJson({ headers }: Response) {
  return headers.get('content-type')?.startsWith('application/json') && !headers.has('content-encoding')
}

function codeOf({ body }: Response) {
  try {
    return JSON.parse(String(body)).code
  } catch {
    return undefined
  }
}

function problemsOf(
  response: Response,
  expected: Expected,
  { isClosing, isRelaxed, mayClose }: { isClosing: boolean; isRelaxed: boolean; mayClose: boolean },
) {
  const { status, headers } = response
  const { method, statuses, closes, id } = expected
  const problems = []
  const isShed = isRelaxed && status === 503 && headers.has('retry-after')
  if (status >= 500 && status !== 501 && !isShed) problems.push(`status ${status}`)
  else if (!isRelaxed && !statuses.includes(status)) problems.push(`status ${status}, not ${statuses.join(' or ')}`)
  if (closes === 'never' && isClosing && !mayClose) problems.push('closes the connection')
  if (closes === 'must' && !isClosing && !isRelaxed) problems.push('keeps the connection open')
  const isIdNeeded = !isRelaxed && id !== undefined && (closes === 'never' || !isClosing)
  if (isIdNeeded && headers.get('x-request-id') !== id)
    problems.push(`x-request-id ${headers.get('x-request-id')}, not ${id}`)
  const field = isRelaxed ? undefined : requiredHeaders[status]
  if (field && !headers.has(field)) problems.push(`a ${status} without ${field}`)
  if (isJson(response) && response.body.includes('\r')) problems.push('something is spliced into the body')
  if (status >= 400) problems.push(...errorProblems(response, method, isRelaxed))
  return problems
}

function errorProblems({ status, headers, body }: Response, method: string, isRelaxed: boolean): string[] {
  const type = headers.get('content-type') ?? 'none'
  if (isRelaxed && type.startsWith('text/plain')) return []
  if (type !== 'application/json') return [`a ${status} of content-type ${type}`]
  if (method === 'HEAD') return []
  try {
    const error = JSON.parse(String(body))
    const isError =
      Object.keys(error).sort().join() === 'code,message,status' &&
      /^[a-z]+(_[a-z]+)*$/.test(error.code) &&
      typeof error.message === 'string' &&
      error.status === status
    return isError ? [] : [`a ${status} whose body is no Error: ${body.toString('latin1', 0, 120)}`]
  } catch {
    return [`a ${status} whose body is no JSON: ${body.toString('latin1', 0, 120)}`]
  }
}
