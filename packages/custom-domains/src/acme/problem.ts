// Maps ACME errors to problems, by the type of the problem document (RFC 8555, section 6.7) and not by its text.
import { IssueError } from '../certificates/issuer.ts'
import type { Problem } from '../state/domain.ts'

/** RFC 7807, with the subproblems of RFC 8555, section 6.7.1. */
export interface ProblemDocument {
  type?: string
  detail?: string
  /** The page to visit, if the type is `userActionRequired` (RFC 8555, section 7.3.3). */
  instance?: string
  subproblems?: ProblemDocument[]
}

export interface ErrorResponse {
  status: number
  retryAfterMs: number
}

type Code = 'rate_limited' | 'caa_blocks' | 'ca_unavailable' | 'ca_cannot_connect' | 'ca_cannot_resolve' | 'ca_refused'

const responseCodes: Readonly<Record<string, Code>> = {
  rateLimited: 'rate_limited',
  caa: 'caa_blocks',
  serverInternal: 'ca_unavailable',
  /** The authority is not in one state, or not ready: the same request may succeed later. */
  badNonce: 'ca_unavailable',
  orderNotReady: 'ca_unavailable',
}

/** In an authorization, `unauthorized` is about the host's response; in an HTTP response, about the account. */
const orderCodes: typeof responseCodes = {
  ...responseCodes,
  connection: 'ca_cannot_connect',
  dns: 'ca_cannot_resolve',
  incorrectResponse: 'ca_cannot_connect',
  tls: 'ca_cannot_connect',
  unauthorized: 'ca_cannot_connect',
}

/** The types of a rejection that only another name avoids. */
const namesRejected = new Set(['rejectedIdentifier', 'unsupportedIdentifier'])

/** @param response the HTTP response that carries the document; none where it is part of an order or authorization */
export function issueError(host: string, document?: ProblemDocument, response?: ErrorResponse): IssueError {
  const reason = response ? `The authority responded with HTTP ${response.status}.` : 'The authority gave no reason.'
  const { type = '', detail = reason } = { ...document, ...document?.subproblems?.[0] }
  const codes = response ? responseCodes : orderCodes
  const name = type.replace('urn:ietf:params:acme:error:', '')
  const code = codes[name] ?? (response ? codeOf(response.status, name) : 'ca_refused')
  const stall = response?.status === 404 ? 'lost' : undefined
  return new IssueError(problemOf(code, { host, detail, name, document }), response?.retryAfterMs, name, stall)
}

interface Reason {
  host: string
  detail: string
  /** The type without its prefix. */
  name: string
  document: ProblemDocument | undefined
}

function problemOf(code: Code, { host, detail, name, document }: Reason): Problem {
  switch (code) {
    case 'caa_blocks':
      return { code, level: host, found: [], expected: '', detail }
    case 'ca_cannot_resolve': {
      const [, failing] = /looking up \w+ for ([a-z\d.-]*[a-z\d])/i.exec(detail) ?? []
      return { code, detail, ...(failing && { failing: failing.toLowerCase() }) }
    }
    case 'ca_refused': {
      const url = actionIn(name, document)
      return { code, detail, ...(url && { url }), ...(namesRejected.has(name) && { isNameRejected: true as const }) }
    }
    default:
      return { code, detail }
  }
}

/** Where the operator agrees to new terms, for example. */
function actionIn(name: string, { instance }: ProblemDocument = {}): string | undefined {
  return name === 'userActionRequired' ? linkIn(instance) : undefined
}

/** What an authority sends as the address of a page, if it is one that a browser may be sent to. */
export function linkIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^https?:\/\/\S{1,1000}$/.test(value) ? value : undefined
}

/** A replica of the authority may lack a new resource, and only the authority itself names a type. */
function codeOf(status: number, name: string): Code {
  if (status === 429) return 'rate_limited'
  return status >= 500 || status === 404 || name === '' ? 'ca_unavailable' : 'ca_refused'
}
