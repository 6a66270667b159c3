import type { FastifyContextConfig } from 'fastify'

/** What a route declares, in the terms of OpenAPI. */
export interface Operation {
  /** Any value, if it has a body. */
  body?: unknown
  /** `in` is the place: only those of `header` are looked at. */
  parameters: readonly { in: string; name: string }[]
  /** With the media types of each, which may be ranges such as `image/*`. */
  responses: readonly { status: string; media: readonly { type: string }[] }[]
}

/** Of the `config` of a route; undefined for one that is no operation. */
export type OperationOf = (config: FastifyContextConfig) => Operation | undefined
