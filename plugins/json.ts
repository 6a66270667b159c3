// JSON as its RFC describes it.
import type { FastifyReply } from 'fastify'

/** Without a serializer, Fastify adds a charset, which JSON does not have (RFC 8259, section 11). */
export const asJson = (reply: FastifyReply): FastifyReply => reply.type('application/json').serializer(JSON.stringify)
