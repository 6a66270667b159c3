// Where the server and express-openapi-validator differ, and why the server is right.
import { isDeepStrictEqual } from 'node:util'
import type { Operation } from 'exact-openapi/model'
import { parse } from 'lossless-json'
import { type FuzzRequest, textOf } from './requests.ts'
import type { Verdict } from './servers.ts'

export interface Outcome {
  operation: Operation
  request: FuzzRequest
  ours: Verdict
  theirs: Verdict
}

interface Known {
  reason: string
  /** What the server says; without it, it accepts. */
  ours?: RegExp
  /** What the other one says; without it, it accepts. */
  theirs?: RegExp
  /** What the request must have for the reason to hold. */
  applies(request: FuzzRequest): boolean
}

/** The words and numbers of a request, decoded. */
function tokensIn({ path, headers, body = '' }: FuzzRequest): string[] {
  const texts = [path, ...Object.values(headers), body].flatMap((text) => text.split(/[/?&=,;:{}[\]"]+/))
  return texts.map((text) => {
    try {
      return decodeURIComponent(text.replaceAll('+', ' '))
    } catch {
      return text
    }
  })
}

const some = (test: (token: string) => boolean) => (request: FuzzRequest) =>
  tokensIn(request).flatMap(partsOf).some(test)
/** An item of an array is split after it was decoded, too. */
const partsOf = (token: string) => [token, ...token.split(',')]
const isNumber = (token: string) => token.trim() !== '' && !Number.isNaN(Number(token))
const isPlain = (token: string) => /^-?(0|[1-9]\d*)$/.test(token) && token !== '-0'
const isBeyond = (bits: number) => (token: string) =>
  isPlain(token) && BigInt.asIntN(bits, BigInt(token)) !== BigInt(token)
const isUnsafe = (token: string) => isPlain(token) && !Number.isSafeInteger(Number(token))
const hasBody = ({ body }: FuzzRequest) => body !== undefined && body !== ''
const bodyHas = (pattern: RegExp) => (request: FuzzRequest) => pattern.test(request.body ?? '')

const known: readonly Known[] = [
  {
    reason: 'a number has plain digits: not 007, +1, 1e3 or a space, which the other one converts',
    ours: /in plain decimal digits|(that|than) a double holds/,
    applies: some((token) => (isNumber(token) || token.trim() === '') && !isPlain(token)),
  },
  {
    reason: 'an int64 is exact, which the other one rounds before it compares',
    ours: /must be a 64-bit integer/,
    applies: some(isBeyond(64)),
  },
  { reason: 'an integer is not rounded', ours: /at most 9007199254740991/, applies: some(isUnsafe) },
  {
    reason: 'an integer is not rounded, so it is not of the branch that has it',
    theirs: /pet must match exactly one schema in oneOf/,
    applies: some(isUnsafe),
  },
  {
    reason: 'RFC 3339, 5.6 and 5.7: February has no day 30, a year no month 0, and a day no hour 24',
    ours: /must match format \\?"date/,
    applies: ({ path, body }) => /-02-30|-00-|T24(:|%3A)/.test(`${path} ${body}`),
  },
  {
    reason: 'RFC 3339, 5.6: a space may stand for the T',
    theirs: /date-time/,
    applies: some((token) => /\d \d/.test(token)),
  },
  {
    reason: 'RFC 8259, 4: the names of an object are unique',
    ours: /repeats a name within an object/,
    applies: hasBody,
  },
  { reason: 'a body that is not there is not {}', ours: /body is required/, applies: (request) => !hasBody(request) },
  { reason: 'a body that is not there is not {}', applies: (request) => !hasBody(request) },
  {
    reason: 'a property is own: constructor is none of every object',
    theirs: /constructor must be string/,
    applies: (request) => !/"constructor":[^"]/.test(request.body ?? ''),
  },
  {
    reason: 'RFC 3986, 3.4: a query may contain reserved characters; allowReserved is for those who write one',
    theirs: /may not contain reserved characters/,
    applies: ({ path }) => /\?.*[,+]/.test(path),
  },
  {
    reason: 'RFC 3986, 2.1, and RFC 3629: a percent sign precedes two digits, and they are UTF-8',
    ours: /must be percent-encoded UTF-8/,
    applies: ({ path, body }) => /%(?![\da-f]{2})|%[89a-f][\da-f](?!%[89ab])|%[8-9a-b]/i.test(`${path} ${body}`),
  },
  {
    reason: 'RFC 6570, 3.2.8: an array is split at its commas before its items are decoded',
    applies: ({ path }) => /words=[^&]*%2C/i.test(path),
  },
  {
    reason:
      'OpenAPI 3.1.1, "Schema Object", and JSON Schema 2020-12, 8.2.3: keywords beside $ref count, in parameters, too',
    ours: /query text must match pattern/,
    applies: ({ path }) => /\?(.*&)?text=/.test(path),
  },
  {
    reason: 'a single field of a form is an array of one',
    theirs: /\/body\/(tags|letters) must be array/,
    applies: bodyHas(/(tags|letters)=/),
  },
  {
    reason: 'a single value in the query is an array of one',
    theirs: /\/query\/(tags|words|some) must be array/,
    applies: ({ path }) => /(tags|words|some)=/.test(path),
  },
]

/** Empty if there is no difference, and undefined if there is no known reason. */
export function reasonFor({ operation, request, ours, theirs }: Outcome): string | undefined {
  if (ours.status === 200 && !isReadAsSent(operation, request, ours)) return undefined
  const isSame =
    ours.status === 200 ? theirs.status === 200 && isReadAlike(operation, ours, theirs) : theirs.status !== 200
  if (isSame) return ''
  const says = ({ status, body }: Verdict, pattern: RegExp | undefined) =>
    pattern ? status !== 200 && pattern.test(body) : status === 200
  return known.find((one) => says(ours, one.ours) && says(theirs, one.theirs) && one.applies(request))?.reason
}

/** Each text arrives as it was before it was encoded. In headers, spaces around it do not count. */
function isReadAsSent({ parameters }: Operation, { texts }: FuzzRequest, ours: Verdict): boolean {
  const own = parse(ours.body) as Read // with all digits
  return parameters.every(({ in: place, name }) => {
    const sent = texts?.[`${place} ${name}`] ?? []
    if (sent.length === 0 || place === 'header' || place === 'cookie') return true
    return isDeepStrictEqual([own[places[place]]?.[name]].flat().map(textOf), sent)
  })
}

type Read = Partial<Record<'path' | 'query' | 'headers' | 'cookies', Record<string, unknown>>> & { body?: unknown }
const places = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const

function isReadAlike({ parameters, body }: Operation, ours: Verdict, theirs: Verdict): boolean {
  const [own, other] = [JSON.parse(ours.body) as Read, JSON.parse(theirs.body) as Read]
  // The other one validates a copy of the cookies.
  const isAlike = parameters.every(({ in: place, name }) => {
    if (place === 'cookie') return true
    const theirName = place === 'header' ? name.toLowerCase() : name
    return isDeepStrictEqual(own[places[place]]?.[name], other[places[place]]?.[theirName])
  })
  return isAlike && (!body || isDeepStrictEqual(own.body, other.body))
}
