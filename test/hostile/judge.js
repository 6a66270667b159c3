// Holds what came over a connection against the answers that its requests must get.
import { readAnswer } from './reader.js'

/**
 * @typedef {object} Outcome what an answer says about an order; status 0: the answer is not known
 * @property {bigint} order
 * @property {number} status
 * @property {string} [code]
 *
 * @typedef {object} Verdict
 * @property {string[]} problems
 * @property {Outcome[]} outcomes
 * @property {number} answers how many came
 * @property {boolean} isLost the last answer fell to a reset that was to be reckoned with
 */

/** What an answer of this status must say. */
const telling = new Map([
  [401, 'www-authenticate'],
  [405, 'allow'],
])

/**
 * @param {import('./types.js').Script} script
 * @param {import('./types.js').Received} received
 * @param {{ isRelaxed?: boolean }} [options] relaxed: any status below 500 is right, and 503 with Retry-After, and 501, and a refusal may be text
 * @returns {Verdict}
 */
export function judge(script, { bytes, ended }, { isRelaxed = false } = {}) {
  const { answers, end, isLossy = false } = script
  /** @type {Verdict} */
  const verdict = { problems: [], outcomes: [], answers: 0, isLost: false }
  let offset = 0
  let isClosing = false
  let mayReset = end === 'reset'
  for (const [index, expected] of answers.entries()) {
    const nth = `answer ${index + 1} of ${answers.length}`
    if (offset === bytes.length) {
      const isReset = end === 'reset'
      const isLost = isLossy && ended === 'reset' && expected.closes !== 'never'
      if (isLost) verdict.isLost = true
      if (isLost || expected.isOptional) mayReset = true
      else if (!isReset && !expected.isOptional) verdict.problems.push(`${nth} is missing`)
      if (isReset || !expected.isOptional) forget(answers.slice(index), verdict)
      break
    }
    const reading = readAnswer(bytes, offset, expected)
    if ('fault' in reading) {
      if (!(reading.isCut && end === 'reset')) verdict.problems.push(`${nth}: ${reading.fault}`)
      forget(answers.slice(index), verdict)
      return verdict
    }
    const { answer } = reading
    verdict.answers++
    offset = answer.next
    isClosing = isClosingAnswer(answer)
    const isLast = index === answers.length - 1
    const problems = problemsOf(answer, expected, {
      isClosing,
      isRelaxed,
      mayClose: isRelaxed || (isLast && end === 'fin'),
    })
    verdict.problems.push(...problems.map((problem) => `${nth}: ${problem}`))
    if (expected.order !== undefined && (!expected.isMutant || answer.status === 204)) {
      verdict.outcomes.push({ order: expected.order, status: answer.status, code: codeOf(answer) })
    }
    if (isClosing) break
  }
  if (offset < bytes.length) {
    const rest = bytes.toString('latin1', offset, offset + 80)
    verdict.problems.push(`${bytes.length - offset} bytes after the last answer: ${JSON.stringify(rest)}`)
  }
  if (ended === 'deadline') verdict.problems.push('the connection stays open')
  if (ended === 'reset' && !isClosing && !mayReset) verdict.problems.push('the connection is reset')
  return verdict
}

/** Orders of answers that did not come may be cancelled or not. @param {import('./types.js').Expected[]} answers @param {Verdict} verdict */
function forget(answers, { outcomes }) {
  for (const { order } of answers) if (order !== undefined) outcomes.push({ order, status: 0 })
}

/** @param {import('./reader.js').Answer} answer */
function isClosingAnswer({ headers }) {
  return (headers.get('connection') ?? '').toLowerCase().split(/ *, */).includes('close')
}

/** JSON of this server has no line ends. @param {import('./reader.js').Answer} answer */
function isJson({ headers }) {
  return headers.get('content-type')?.startsWith('application/json') && !headers.has('content-encoding')
}

/** @param {import('./reader.js').Answer} answer */
function codeOf({ body }) {
  try {
    return JSON.parse(String(body)).code
  } catch {
    return undefined
  }
}

/**
 * @param {import('./reader.js').Answer} answer
 * @param {import('./types.js').Expected} expected
 * @param {{ isClosing: boolean, isRelaxed: boolean, mayClose: boolean }} connection
 */
function problemsOf(answer, expected, { isClosing, isRelaxed, mayClose }) {
  const { status, headers } = answer
  const { method, statuses, closes, id } = expected
  const problems = []
  const isShed = isRelaxed && status === 503 && headers.has('retry-after')
  if (status >= 500 && status !== 501 && !isShed) problems.push(`status ${status}`)
  else if (!isRelaxed && !statuses.includes(status)) problems.push(`status ${status}, not ${statuses.join(' or ')}`)
  if (closes === 'never' && isClosing && !mayClose) problems.push('closes the connection')
  if (closes === 'must' && !isClosing) problems.push('keeps the connection open')
  const isIdNeeded = !isRelaxed && id !== undefined && (closes === 'never' || !isClosing)
  if (isIdNeeded && headers.get('x-request-id') !== id)
    problems.push(`x-request-id ${headers.get('x-request-id')}, not ${id}`)
  const field = isRelaxed ? undefined : telling.get(status)
  if (field && !headers.has(field)) problems.push(`a ${status} without ${field}`)
  if (isJson(answer) && answer.body.includes('\r')) problems.push('something is spliced into the body')
  if (status >= 400) problems.push(...errorProblems(answer, method, isRelaxed))
  return problems
}

/** @param {import('./reader.js').Answer} answer @param {string} method @param {boolean} isRelaxed @returns {string[]} */
function errorProblems({ status, headers, body }, method, isRelaxed) {
  const type = headers.get('content-type') ?? 'none'
  if (isRelaxed && type.startsWith('text/plain')) return []
  if (!/^application\/json(; *charset=utf-8)?$/i.test(type)) return [`a ${status} of content-type ${type}`]
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
