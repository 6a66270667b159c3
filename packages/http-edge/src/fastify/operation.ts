import type { FastifyContextConfig } from 'fastify'

/** The operation of a route, in the terms of OpenAPI. */
export interface Operation {
  /** Any value, if it has a body. */
  body?: unknown
  /** `in` is the place: only those of `header` are looked at. */
  parameters: readonly { in: string; name: string }[]
  /** The media types of a response may be ranges such as `image/*`. */
  responses: readonly { status: string; media: readonly { type: string }[] }[]
}

/** Finds what a route declares by its `config`; undefined for a route that is no operation. */
export type OperationOf = (config: FastifyContextConfig) => Operation | undefined
