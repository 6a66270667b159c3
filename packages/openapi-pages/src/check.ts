// What the pages of a document would show, but should not: examples that their schemas refuse, and samples that a server does.
import { type Document, exactOpenapi, problemsOf } from 'exact-openapi'
import { type Direction, mock } from 'exact-openapi/examples'
import { type Exampled, type Media, modelOf, type Operation, type Schema } from 'exact-openapi/model'
import fastify, { type InjectOptions } from 'fastify'
import { type Call, callOf } from '#browser/request.js'
import { serverOf } from './address.ts'
import { callableOf } from './code-samples/call.ts'
import { bodyViolation, exampleRequest, examplesIn, parameterViolation } from './example-request.ts'

/** A line for each: `POST /pets, body, application/json, example cat: age must be >= 0`. */
export function wrongExamples(document: Document): string[] {
  const { operations, webhooks } = modelOf(document)
  return [
    ...operations.flatMap((operation) => ofOperation(operation, 'request', 'response')),
    ...webhooks.flatMap((webhook) => ofOperation(webhook, 'response', 'request')),
  ]
}

/** @param sent what a reader sends, or gets from a webhook */
function ofOperation(operation: Operation, sent: Direction, received: Direction): string[] {
  const { parameters, body, responses, callbacks } = operation
  const findings = [
    ...parameters.flatMap((parameter) =>
      wrongOf(`${parameter.in} ${parameter.name}`, parameter, (value) => parameterViolation(parameter.schema, value)),
    ),
    ...(body?.media ?? []).flatMap((media) => ofMedia('body', media, sent)),
    ...responses.flatMap(({ status, media, headers }) => [
      ...media.flatMap((content) => ofMedia(status, content, received)),
      ...headers.flatMap((header) =>
        wrongOf(`${status}, header ${header.name}`, header, (value) => parameterViolation(header.schema, value)),
      ),
    ]),
  ]
  const within = callbacks.flatMap(({ operations }) =>
    operations.flatMap((callback) => ofOperation(callback, received, sent)),
  )
  return [...findings.map((text) => `${nameOf(operation)}, ${text}`), ...within]
}

const nameOf = ({ method, path }: Operation) => `${method} ${path}`

const ofMedia = (location: string, media: Media, direction: Direction) =>
  wrongOf(`${location}, ${media.type}`, media, (value) => bodyViolation(media, value, direction))

function wrongOf(
  location: string,
  { examples, schema }: Exampled & { schema: Schema | undefined },
  violationOf: (value: unknown) => ReturnType<typeof parameterViolation>,
): string[] {
  const all = [...examples, ...examplesIn(schema).map((value) => ({ name: 'of the schema', value }))]
  return all.flatMap(({ name, value }) => {
    const violation = value === undefined ? undefined : violationOf(value)
    const title = name === 'example' ? name : `example ${name}`
    return violation ? [`${location}, ${title}: ${`${violation.place} ${violation.message}`.trim()}`] : []
  })
}

/** Sends what the samples of each operation send, with each media type of its body, to a mock of the API. @returns a line for each that it refuses */
export async function refusedSamples(document: Document): Promise<string[]> {
  const model = modelOf(document)
  const guards = Object.fromEntries([...model.securitySchemes.keys()].map((name) => [name, () => []]))
  const app = fastify()
  const { broken } = problemsOf(document)
  await app.register(exactOpenapi, { document, handlers: {}, missing: mock, guards, tolerate: [...broken.keys()] })
  const { pathname } = new URL(serverOf(document), 'http://localhost')
  const refused: string[] = []
  for (const operation of model.operations) {
    const [first, ...others] = operation.body?.media ?? []
    for (const media of [first, ...others]) {
      const call = callOf(
        callableOf(model, operation),
        exampleRequest(operation, media),
        pathname.replace(/\/$/, ''),
        [],
      )
      const { statusCode, body } = await app.inject(injected(call))
      if (statusCode < 400) continue
      const { message } = JSON.parse(body)
      refused.push(`${nameOf(operation)}${media ? `, ${media.type}` : ''}: ${statusCode} ${message}`)
    }
  }
  await app.close()
  return refused
}

function injected({ method, url, headers, body }: Call): InjectOptions {
  const chunks = body?.chunks.map((chunk) => (typeof chunk === 'string' ? chunk : chunk.file))
  return {
    method: method as 'POST',
    url: url.join(''),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, value.join('')])),
    ...(chunks && { payload: chunks.join('') }),
  }
}
