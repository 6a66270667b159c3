// What an authority's refusal means: told by the type of its problem document (RFC 8555, section 6.7), not by its text.
import { IssueError } from '../certificates/certificate.ts'

/** RFC 7807, with the subproblems of RFC 8555, section 6.7.1. */
export interface ProblemDocument {
  type?: string
  detail?: string
  subproblems?: ProblemDocument[]
}

export interface RefusedAnswer {
  status: number
  retryAfterMs: number
}

type Code = 'rate_limited' | 'caa_blocks' | 'ca_unavailable' | 'ca_cannot_connect' | 'ca_refused'

const ofAnswers: Readonly<Record<string, Code>> = {
  rateLimited: 'rate_limited',
  caa: 'caa_blocks',
  serverInternal: 'ca_unavailable',
}

/** In an authorization, `unauthorized` is said of what the host answers; in an answer, of the account. */
const ofOrders: typeof ofAnswers = {
  ...ofAnswers,
  connection: 'ca_cannot_connect',
  dns: 'ca_cannot_connect',
  incorrectResponse: 'ca_cannot_connect',
  tls: 'ca_cannot_connect',
  unauthorized: 'ca_cannot_connect',
}

/** @param answer the HTTP answer that the document is; it has none where it stands in an order or its authorization */
export function refusal(host: string, document?: ProblemDocument, answer?: RefusedAnswer): IssueError {
  const reason = answer ? `The authority answered with HTTP ${answer.status}.` : 'The authority gave no reason.'
  const { type = '', detail = reason } = { ...document, ...document?.subproblems?.[0] }
  const types = answer ? ofAnswers : ofOrders
  const code = types[type.replace('urn:ietf:params:acme:error:', '')] ?? codeOf(answer?.status ?? 0)
  // Which record blocks is for a look at DNS to say.
  const problem = code === 'caa_blocks' ? { code, level: host, found: [], expected: '' } : { code, detail }
  return new IssueError(problem, answer?.retryAfterMs)
}

function codeOf(status: number): Code {
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'ca_unavailable' : 'ca_refused'
}
