// Reads a request as the document describes it: path, query, headers, cookies and body.
import type { FastifyRequest } from 'fastify'
import { inputParts, type Operation, type Parameter } from '../model/index.ts'
import { bodyReader } from './body.ts'
import type { Compile } from './compiler.ts'
import type { ContentOf } from './content.ts'
import { MalformedError } from './json.ts'
import { partReader } from './parameters.ts'

/** The first argument of a handler. A part that the operation does not have is absent. */
export type Input = Partial<Record<'path' | 'query' | 'headers' | 'cookies', Record<string, unknown>>> & {
  body?: unknown
}
/** The error of a request that differs from the document. */
export type ErrorOf = (code: 'invalid_request' | 'unsupported_media_type', message: string) => Error

/** Fastify responds with its status and message. */
export const requestError: ErrorOf = (code, message) =>
  Object.assign(new Error(message), { code, statusCode: code === 'invalid_request' ? 400 : 415 })

type Reader = (request: FastifyRequest) => Input

/** @returns undefined if the operation has no input. A reader throws an error that lists all that is wrong. */
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
  const addBody = body && bodyReader(body, compile, (message) => errorOf('unsupported_media_type', message))

  function inputOf(request: FastifyRequest): Input {
    const input: Input = {}
    for (const { key, read } of readers) input[key] = read(request)
    const errors = [...check(input), ...(addBody?.(contentOf(request), input) ?? [])]
    if (errors.length > 0) throw new MalformedError(`${sentence(errors)}.`)
    return input
  }

  return (request) => {
    try {
      return inputOf(request)
    } catch (error) {
      throw error instanceof MalformedError ? errorOf('invalid_request', error.message) : error
    }
  }
}

/** The first errors: a body may have thousands. */
function sentence(errors: readonly string[]): string {
  const shown = errors.slice(0, 10).join('; ')
  return errors.length > 10 ? `${shown}; and ${errors.length - 10} more` : shown
}
