// A static resource: bytes, ETag and compressed variants, each made once, and compressed off the event loop. Clients choose
// the Host header, and with it how many copies of a page there are: of these, only some are compressed.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { rateLimiter } from 'http-edge'
import { EdgeError } from 'http-edge/fastify'
import { appendVary, isNotModified, preferredEncoding } from 'http-edge/negotiation'
import { lazy, memoize } from './memoize.ts'

type Encoding = 'br' | 'gzip' | 'identity'

export interface Resource {
  type: string
  etag: string
  /** In this encoding, or as it is, which some clients do not accept. */
  encoded(wanted: Encoding, isIdentityAccepted: boolean): Promise<{ encoding: Encoding; bytes: Buffer }>
}

// Brotli's 10 saves 6% of a page more than its 9, and takes 0.1 s longer. Of the bundle of Swagger UI, 1.4 MB, its 9 takes
// 0.15 s, its 11 2.7 s.
const LARGE = 300_000
const brotliOptions = ({ length }: Buffer) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: length > LARGE ? 9 : 10, [constants.BROTLI_PARAM_SIZE_HINT]: length },
})
const encoders: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliOptions(bytes)),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
  identity: async (bytes) => bytes,
}

export interface Content {
  /** Differs between contents, as a digest does. */
  version: string
  /** Called when a client first needs them. */
  bytes(): Buffer
}

type MayCompress = (isIdentityAccepted: boolean) => boolean

export function resource(
  type: string,
  body: string | Buffer | Content,
  mayCompress: MayCompress = () => true,
): Resource {
  const content = typeof body === 'string' || Buffer.isBuffer(body) ? contentOf(Buffer.from(body)) : body
  const bytes = lazy(content.bytes)
  const encode = memoize((encoding) => encoders[encoding as Encoding](bytes()))
  const ready = new Set<Encoding>(['identity'])
  return {
    type,
    etag: `W/"${content.version}"`, // weak: the same for every encoding
    async encoded(wanted, isIdentityAccepted) {
      const encoding = ready.has(wanted) || mayCompress(isIdentityAccepted) ? wanted : 'identity'
      ready.add(encoding)
      return { encoding, bytes: await encode(encoding) }
    },
  }
}

const contentOf = (bytes: Buffer): Content => ({ version: digest(bytes), bytes: () => bytes })

/** Called for each page, it returns what makes a resource of each copy of that page. */
export type Copies = (type: string) => (content: string | Content) => Resource

/** Copies of a page that are compressed when first requested. Enough for the names that a server is known by. */
const FIRST = 4

/**
 * For pages with copies at any number of addresses. Compressing one takes 20 ms. So all but the first copies are compressed
 * when they are requested again, and only some in a minute: the others are sent as they are.
 */
export function copies(): Copies {
  const count = rateLimiter({ max: 20, seconds: 60 })
  return (type) => {
    let made = 0
    return (content) => {
      made++
      let isExpected = made <= FIRST
      return resource(type, content, (isIdentityAccepted) => {
        const mayCompress = (isExpected || !isIdentityAccepted) && count('').isAllowed
        isExpected = true
        return mayCompress
      })
    }
  }
}

export function digest(...parts: (Buffer | string)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('base64url').slice(0, 22)
}

/** Responds with the resource in the encoding that the client prefers, or 304 if the client has it. */
export async function send(reply: FastifyReply, { type, etag, encoded }: Resource): Promise<FastifyReply> {
  const { headers } = reply.request
  reply.headers({ etag, vary: appendVary(reply.getHeader('vary'), 'Accept-Encoding') })
  if (isNotModified(etag, headers)) return reply.code(304).send()
  const preferred = preferredEncoding(headers, ['br', 'gzip'])
  if (preferred === undefined)
    throw new EdgeError('not_acceptable', 'The response is available with the encodings br, gzip and identity only.')
  const { encoding, bytes } = await encoded(preferred, preferredEncoding(headers, []) === 'identity')
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(type).send(bytes)
}
