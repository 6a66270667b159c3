// Reads a request as the document describes it: path, query, headers, cookies and body.
import type { FastifyRequest } from 'fastify'
import { inputParts, type Operation, type Parameter } from '../../model/index.ts'
import type { Compile } from '../checks/compiler.ts'
import { type ErrorOf, type Finding, rejectionOf, requireNone } from '../errors.ts'
import { mediaProblem } from '../supported.ts'
import { bodyReader } from './body.ts'
import type { ContentOf } from './content.ts'
import { partReader } from './parameters.ts'

/** The first argument of a handler. A part that the operation does not have is absent. */
export type Input = Partial<Record<'path' | 'query' | 'headers' | 'cookies', Record<string, unknown>>> & {
  body?: unknown
  /** What the guard of each security scheme of the request returned. */
  auth?: Readonly<Record<string, unknown>> | undefined
}

/** Calls back with the input, or with an error that lists all that is wrong. */
type Reader = (request: FastifyRequest, done: (result: Input | Error) => void) => void

export interface ReaderOptions {
  contentOf: ContentOf
  errorOf: ErrorOf
  /** The operations whose bodies are streams. */
  streams: readonly string[]
}

/** @returns undefined if the operation has no input */
export function readerOf(
  operation: Operation,
  compile: Compile,
  { contentOf, errorOf, streams }: ReaderOptions,
): Reader | undefined {
  const { id, body } = operation
  const locations = Object.keys(inputParts) as Parameter['in'][]
  const readers = locations.flatMap((location) => partReader(location, operation, compile) ?? [])
  if (!body && readers.length === 0) return undefined
  const properties = Object.fromEntries(readers.map(({ key, schema }) => [key, schema]))
  const check = compile(properties)
  const media = (body?.media ?? []).filter((one) => !mediaProblem(one))
  const addBody = body && bodyReader(body, media, { compile, errorOf, isStream: streams.includes(id) })

  function addInput(request: FastifyRequest, input: Input): Input | Promise<Input> {
    for (const { key, read } of readers) input[key] = read(request)
    const errors = check(input)
    const finish = (more: readonly Finding[]) => {
      requireNone(more.length > 0 ? [...errors, ...more] : errors)
      return input
    }
    if (!addBody) return finish([])
    const content = contentOf(request)
    const ofBody = content instanceof Promise ? content.then((one) => addBody(one, input)) : addBody(content, input)
    return Array.isArray(ofBody) ? finish(ofBody) : ofBody.then(finish)
  }

  function errorFor(error: unknown, input: Input): Error {
    const location = readers.find(({ key }) => !input[key])?.key ?? 'body' // what was read last
    return rejectionOf(error, location, errorOf)
  }

  return (request, done) => {
    const input: Input = {}
    let result: Input | Promise<Input>
    try {
      result = addInput(request, input)
    } catch (error) {
      return done(errorFor(error, input))
    }
    if (result instanceof Promise) result.then(done, (error) => done(errorFor(error, input)))
    else done(result)
  }
}
