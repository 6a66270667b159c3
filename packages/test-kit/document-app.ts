// An app with a test's own document. An operation without a handler echoes its input.
import { type Document, exactOpenapi, type Guards, type Output } from 'exact-openapi'
import { modelOf, type Operation } from 'exact-openapi/model'
import fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { contentOf, type EdgeOptions, httpEdge } from 'http-edge/fastify'
import type { Test } from 'tap'
import { parse } from 'yaml'

type Stub = (input: Record<string, unknown>) => Promise<Output>

interface Options {
  handlers?: Record<string, Stub>
  /** For the operations without a handler. */
  stub?: Stub
  checkResponses?: boolean
  guards?: Guards
  edge?: EdgeOptions
  /** Registers more plugins before the contract. */
  before?(app: FastifyInstance): unknown
}

/** The input of each operation without a handler, by its operationId. */
export type Got = Record<string, unknown>

/** An app that is closed when the test ends. */
export async function buildDocumentApp(t: Test, document: Document | string, options: Options = {}) {
  const made = await documentApp(typeof document === 'string' ? parse(document) : document, options)
  t.teardown(() => made.app.close())
  return made
}

/** None of a document that the start rejects. */
function operationsIn(document: Document): readonly Operation[] {
  try {
    return modelOf(document).operations
  } catch {
    return []
  }
}

export async function documentApp(document: Document, options: Options = {}) {
  const { handlers = {}, stub, checkResponses = true, guards = {}, edge: edgeOptions, before } = options
  const got: Got = {}
  const stubs: Record<string, Stub> = {}
  for (const { id, responses } of operationsIn(document)) {
    const status = Number(responses[0]?.status)
    stubs[id] = async (input) => {
      got[id] = input
      return stub?.(input) ?? { status, ...(status !== 204 && { body: {} }) }
    }
  }
  const edge = httpEdge({ operationOf: ({ operation }) => operation, ...edgeOptions })
  const app = fastify(edge.options)
  await app.register(edge.plugin)
  app.setErrorHandler(({ statusCode: status = 500, code, message }: FastifyError, _request, reply) =>
    reply.code(status).send({ code, message, status }),
  )
  await before?.(app)
  await app.register(exactOpenapi, {
    document,
    prefix: '/v1',
    handlers: { ...stubs, ...handlers },
    services: {},
    guards,
    contentOf,
    checkResponses: checkResponses ? 'throw' : 'off',
  })
  return { app, got }
}
