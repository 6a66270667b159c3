// What both documents' operations take of this service: bodies are received by http-edge, errors are those of the documents.
import type { ExactOptions } from 'exact-openapi'
import { contentOf } from 'http-edge/fastify'
import { requestError } from '../spec/errors.ts'

export const wiring = { contentOf, errorOf: requestError } satisfies Partial<ExactOptions<unknown>>
