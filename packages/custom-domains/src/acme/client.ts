// A session with an ACME authority (RFC 8555): its account, signed requests, and every failure as an IssueError.
import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Agent } from 'node:https'
import { IssueError } from '../certificates/issuer.ts'
import { openAgent, type ProxyEnv, request, textOf } from '../outgoing.ts'
import { retryAfterMs, withTimeout } from '../time.ts'
import type { AccountKeys } from './account-keys.ts'
import { issueError } from './problem.ts'

export interface SessionOptions {
  directoryUrl: string
  /** The contact address of the account. */
  email?: string | undefined
  keys: AccountKeys
  /** Called with the address of the account, at each session. */
  onAccount?: (url: string) => Promise<void>
  /** Binds the account to one at the authority (RFC 8555, section 7.3.4). */
  externalAccount?: { kid: string; hmacKey: string } | undefined
  /** `User-Agent` of the requests. */
  userAgent?: string | undefined
  proxyEnv?: ProxyEnv | undefined
  /** Trusted roots (PEM) for the authority's own HTTPS, instead of Node's. */
  ca?: string | undefined
  /** How long a session as a whole may take. */
  timeoutMs?: number
  /** How long each request may take. */
  requestTimeoutMs?: number
}

/** A resource of the authority: its fields are checked where they are used. */
export interface Resource {
  url: string
  /** The authority has created it, and names its address. */
  isCreated: boolean
  body: Record<string, unknown>
  text: string
  retryAfterMs: number
}

export interface AcmeSession {
  /** A field of the directory: the address of an operation. @throws IssueError if it is missing */
  operation(name: string): Promise<string>
  directory(): Promise<Resource>
  get(url: string): Promise<Resource>
  /** Signs with the account's key. @param payload undefined for POST-as-GET */
  post(url: string, payload?: object): Promise<Resource>
  /** The URL of the account. */
  account(): Promise<string>
  /** What the authority validates at the host. */
  keyAuthorization(token: string): Promise<string>
  signal: AbortSignal
}

/** No authority asks for more, and a malformed date must not stop a domain for good. */
const LONGEST_RETRY_AFTER_MS = 30 * 24 * 3_600_000
const BAD_NONCES = 10
/** More than any authority sends. */
const LONGEST_RESPONSE = 2 ** 20

/** There is no such host, or its certificate cannot be verified. */
const wrongAddress =
  /^(ENOTFOUND|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|ERR_TLS_CERT_ALTNAME)/

/** Of every directory (RFC 8555, section 7.1.1). */
const requiredOperations = ['newNonce', 'newAccount', 'newOrder']

/** Another server, or another page of the authority, responds; a request that was too slow (408) may succeed later. */
const wrongPage = (status: number) => status >= 400 && status < 500 && status !== 408

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value)

const late = 'The authority did not respond in time.'
const base64url = (content: string | Buffer) => Buffer.from(content).toString('base64url')

/** @param host the subject of errors @throws IssueError, and any error of `run` or of the key store */
export async function withSession<T>(
  host: string,
  options: SessionOptions,
  aborting: AbortSignal,
  run: (session: AcmeSession) => Promise<T>,
): Promise<T> {
  const { timeoutMs = 300_000, ca, proxyEnv } = options
  const signal = withTimeout(aborting, timeoutMs)
  const agent = openAgent({ ca, proxyEnv })
  return run(sessionWith(host, options, agent, signal))
    .catch((error) => {
      throw signal.aborted ? new IssueError({ code: 'ca_unavailable', detail: late }) : error
    })
    .finally(() => agent.destroy())
}

function sessionWith(host: string, options: SessionOptions, agent: Agent, signal: AbortSignal): AcmeSession {
  const { directoryUrl, email, keys, externalAccount, userAgent = 'custom-domains' } = options
  const { onAccount, requestTimeoutMs = 30_000 } = options
  let nonce: string | undefined
  let listed: Promise<Resource> | undefined
  let account: Promise<Account> | undefined

  async function send(method: string, url: string, body?: string): Promise<IncomingMessage> {
    if (!url.startsWith('https:')) throw withoutTls(url)
    const inTime = withTimeout(signal, requestTimeoutMs)
    const headers = { 'user-agent': userAgent, ...(body && { 'content-type': 'application/jose+json' }) }
    try {
      const response = await request(url, { method, headers, body, agent, signal: inTime })
      nonce = String(response.headers['replay-nonce'] ?? '') || nonce
      return response
    } catch (error) {
      signal.throwIfAborted()
      const { code = '', message } = error as NodeJS.ErrnoException
      const isMisconfigured = wrongAddress.test(code)
      const detail = inTime.aborted ? late : message
      throw new IssueError({ code: 'ca_unavailable', detail, ...(isMisconfigured && { isMisconfigured }) })
    }
  }

  /** @throws IssueError for an error response */
  async function read(url: string, response: IncomingMessage): Promise<Resource> {
    const { statusCode: status = 0, headers } = response
    const content = await textOf(response, LONGEST_RESPONSE).catch(({ message }) => {
      throw new IssueError({ code: 'ca_unavailable', detail: `The authority's response cannot be read: ${message}.` })
    })
    const body = objectIn(content)
    const retry = retryAfterMs(String(headers['retry-after']), LONGEST_RETRY_AFTER_MS)
    if (status >= 400) throw issueError(host, body, { status, retryAfterMs: retry })
    const { location = url } = headers
    return { url: location, isCreated: 'location' in headers, body, text: content, retryAfterMs: retry }
  }

  const get = async (url: string) => read(url, await send('GET', url))

  async function readDirectory(): Promise<Resource> {
    const response = await send('GET', directoryUrl)
    const { statusCode: status = 0 } = response
    const misconfigured = () => {
      const detail = `The response of ${directoryUrl} is not an ACME directory (HTTP ${status}).`
      return new IssueError({ code: 'ca_unavailable', detail, isMisconfigured: true })
    }
    const directory = await read(directoryUrl, response).catch((error) => {
      const isForeign = error instanceof IssueError && error.problem.code === 'ca_unavailable'
      throw isForeign && wrongPage(status) ? misconfigured() : error
    })
    if (!requiredOperations.every((name) => isUrl(directory.body[name]))) throw misconfigured()
    return directory
  }

  async function directory(): Promise<Resource> {
    listed ??= readDirectory()
    return listed
  }

  async function operation(name: string): Promise<string> {
    return urlIn((await directory()).body, name)
  }

  /** @param account without `kid` to sign with the key itself */
  async function postAs(
    { key, jwk, kid }: Signer & Partial<Account>,
    url: string,
    payload?: object,
  ): Promise<Resource> {
    for (let tries = 1; ; tries++) {
      if (nonce === undefined) (await send('HEAD', await operation('newNonce'))).resume()
      const header = { alg: 'ES256', nonce, url, ...(kid === undefined ? { jwk } : { kid }) }
      nonce = undefined
      const signed = jws(header, payload, (content) => sign('sha256', content, { key, dsaEncoding: 'ieee-p1363' }))
      try {
        return await read(url, await send('POST', url, JSON.stringify(signed)))
      } catch (error) {
        if (!(error instanceof IssueError) || error.type !== 'badNonce' || tries === BAD_NONCES) throw error
      }
    }
  }

  async function register(pem: string): Promise<Account> {
    const url = await operation('newAccount')
    const signer = signerOf(pem)
    const bound = externalAccount && { externalAccountBinding: bindingOf(externalAccount, url, signer.jwk) }
    const contact = email ? [`mailto:${email}`] : []
    const { url: kid, isCreated, body } = await postAs(signer, url, { termsOfServiceAgreed: true, contact, ...bound })
    if (body.status === 'deactivated' || body.status === 'revoked')
      throw new IssueError({ code: 'ca_refused', detail: `The account is ${body.status}.` })
    if (!isCreated) throw unexpected('account')
    const registered = { ...signer, kid }
    if (Array.isArray(body.contact) && body.contact.join() !== contact.join())
      await postAs(registered, kid, { contact }).catch(() => {}) // an account without a contact works as well
    return registered
  }

  async function openAccount(): Promise<Account> {
    const pem = await keys.current()
    try {
      return await register(pem)
    } catch (error) {
      if (!(error instanceof IssueError) || !isLost(error)) throw error
      return register(await keys.replace(pem))
    }
  }

  async function accountOf() {
    if (account) return account
    account = openAccount()
    await onAccount?.((await account).kid)
    return account
  }

  return {
    operation,
    directory,
    get,
    signal,
    account: async () => (await accountOf()).kid,
    async post(url, payload) {
      return postAs(await accountOf(), url, payload)
    },
    async keyAuthorization(token) {
      const { jwk } = await accountOf()
      return `${token}.${thumbprintOf(jwk)}`
    },
  }
}

/** RFC 7515, in the flattened JSON serialization. */
function jws(header: object, payload: object | undefined, signer: (content: Buffer) => Buffer) {
  const signed = {
    protected: base64url(JSON.stringify(header)),
    payload: payload ? base64url(JSON.stringify(payload)) : '',
  }
  return { ...signed, signature: base64url(signer(Buffer.from(`${signed.protected}.${signed.payload}`))) }
}

function bindingOf({ kid, hmacKey }: { kid: string; hmacKey: string }, url: string, jwk: object) {
  const key = Buffer.from(hmacKey, 'base64url')
  return jws({ alg: 'HS256', kid, url }, jwk, (content) => createHmac('sha256', key).update(content).digest())
}

/** A key, parsed once: that costs more than a signature. The members of `jwk` are in the order of RFC 7638. */
interface Signer {
  key: KeyObject
  jwk: object
}

interface Account extends Signer {
  kid: string
}

function signerOf(pem: string): Signer {
  const key = createPrivateKey(pem)
  const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' })
  return { key, jwk: { crv, kty, x, y } }
}

function thumbprintOf(jwk: object): string {
  return base64url(createHash('sha256').update(JSON.stringify(jwk)).digest())
}

/** The authority no longer has the account, or has disabled it. */
function isLost({ type, message }: IssueError): boolean {
  return type === 'accountDoesNotExist' || /\b(deactivated|revoked)\b/i.test(message)
}

function objectIn(content: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** @throws IssueError if the field is missing */
export function urlIn(body: Record<string, unknown>, field: string): string {
  const url = body[field]
  if (isUrl(url)) return url
  throw unexpected(`"${field}"`)
}

/** RFC 8555, section 6.1 */
function withoutTls(url: string): IssueError {
  return new IssueError({ code: 'ca_unavailable', detail: `The authority's address ${url} is not an https URL.` })
}

/** The authority decides nothing with a response like this, often the page of a proxy before it: the order is kept. */
export function unexpected(missing: string): IssueError {
  return new IssueError({ code: 'ca_unavailable', detail: `The authority's response has no ${missing}.` })
}
