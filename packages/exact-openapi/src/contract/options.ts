// What an application says of its operations beside the document.
import type { FastifyRequest } from 'fastify'
import type { Document, Operation } from '../model/index.ts'
import type { ErrorOf } from './errors.ts'
import type { ContentOf } from './request/content.ts'
import type { Output, Sender } from './response/output.ts'
import type { Guards } from './security.ts'
import type { Rule } from './tolerate.ts'

/** The request has what the document does not describe: its `id`, `signal`, `log` and all of its `headers`. */
export type AnyHandler<Services> = (
  input: never,
  services: Services,
  request: FastifyRequest,
) => Output | Promise<Output>

export interface ExactOptions<Services> {
  document: Document
  /** A handler for each operationId. */
  handlers: Readonly<Record<string, AnyHandler<Services>>>
  /** What an operation without a handler does: it keeps the server from starting, responds with 501, or has this handler. */
  missing?: 'refuse' | 501 | ((operation: Operation) => AnyHandler<Services>)
  /** The second argument of each handler. */
  services?: Services
  /** Before each path, in place of the path of the document's first server. */
  prefix?: string
  /** Operations whose handlers read the body while it arrives. */
  streams?: readonly string[]
  /** The most bytes of a body, in place of Fastify's limit. */
  bodyLimit?: number
  /** Send bodies in place of Fastify: none, unless given. */
  senders?: readonly Sender[]
  /** What enforces each security scheme of the document. */
  guards?: Guards
  /** The error of a request that differs from the document: one with a `statusCode`, unless given. */
  errorOf?: ErrorOf
  /** The body of a request, if something else reads it: else it is read here, up to Fastify's `bodyLimit`. */
  contentOf?: ContentOf
  /** Rules that the document may break: none, unless given. */
  tolerate?: readonly Rule[]
  /** Whether what handlers return is compared with the document: a mismatch is logged, or becomes a 500. */
  checkResponses?: 'off' | 'log' | 'throw' | undefined
}
