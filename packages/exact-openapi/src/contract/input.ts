// Reads a request as the document describes it: path, query, headers, cookies and body.
import type { FastifyRequest } from 'fastify'
import { inputParts, type Operation, type Parameter } from '../model/index.ts'
import { bodyReader } from './body.ts'
import type { Compile } from './compiler.ts'
import type { ContentOf } from './content.ts'
import { MalformedError } from './json.ts'
import { partReader } from './parameters.ts'
import { mediaProblem } from './supported.ts'

/** The first argument of a handler. A part that the operation does not have is absent. */
export type Input = Partial<Record<'path' | 'query' | 'headers' | 'cookies', Record<string, unknown>>> & {
  body?: unknown
}
/** The error of a request that differs from the document. */
export type ErrorOf = (code: 'invalid_request' | 'unsupported_media_type', message: string) => Error

/** Fastify responds with its status and message. */
export const requestError: ErrorOf = (code, message) =>
  Object.assign(new Error(message), { code, statusCode: code === 'invalid_request' ? 400 : 415 })

/** Calls back with the input, or with an error that lists all that is wrong. */
type Reader = (request: FastifyRequest, done: (result: Input | Error) => void) => void

/** @returns undefined if the operation has no input */
export function readerOf(
  operation: Operation,
  compile: Compile,
  contentOf: ContentOf,
  errorOf: ErrorOf,
): Reader | undefined {
  const { path, parameters, body, pointer } = operation
  const readers = (Object.keys(inputParts) as Parameter['in'][]).flatMap((place) => {
    const reader = partReader(
      place,
      parameters.filter((one) => one.in === place),
      path,
    )
    return reader ? [reader] : []
  })
  if (!body && readers.length === 0) return undefined
  const properties = Object.fromEntries(readers.map(({ key, schema }) => [key, schema]))
  const check = compile({ pointer, type: 'object', properties })
  const media = (body?.media ?? []).filter((one) => !mediaProblem(one))
  const addBody = body && bodyReader(body, media, compile, (message) => errorOf('unsupported_media_type', message))

  function inputOf(request: FastifyRequest): Input | Promise<Input> {
    const input: Input = {}
    for (const { key, read } of readers) input[key] = read(request)
    const errors = check(input)
    const ofBody = addBody?.(contentOf(request), input) ?? []
    if (!Array.isArray(ofBody)) return ofBody.then((more) => unlessWrong(input, [...errors, ...more]))
    return unlessWrong(input, ofBody.length > 0 ? [...errors, ...ofBody] : errors)
  }
  const errorFor = (error: unknown) =>
    error instanceof MalformedError ? errorOf('invalid_request', error.message) : (error as Error)

  return (request, done) => {
    let input: Input | Promise<Input>
    try {
      input = inputOf(request)
    } catch (error) {
      return done(errorFor(error))
    }
    if (input instanceof Promise) input.then(done, (error) => done(errorFor(error)))
    else done(input)
  }
}

function unlessWrong(input: Input, errors: readonly string[]): Input {
  if (errors.length > 0) throw new MalformedError(`${sentence(errors)}.`)
  return input
}

/** The first errors: a body may have thousands. */
function sentence(errors: readonly string[]): string {
  const shown = errors.slice(0, 10).join('; ')
  return errors.length > 10 ? `${shown}; and ${errors.length - 10} more` : shown
}
