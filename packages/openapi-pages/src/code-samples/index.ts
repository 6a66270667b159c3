// Code samples of operations, made from their examples. Addresses begin with `exampleServer`.
import { type Document, type Model, modelOf, type Operation, withExtension } from 'exact-openapi'
import { type Language, languages } from '#browser/languages.js'
import { callOf } from '#browser/request.js'
import { exampleRequest } from '../example-request.ts'
import { ofOperation } from '../extensions.ts'
import { exampleServer } from '../server.ts'
import { callableOf } from './call.ts'

/** The document with samples for the operations that bring none. */
export function withSamples(document: Document): Document {
  const model = modelOf(document)
  return withExtension(document, 'x-codeSamples', (operation) => {
    const call = exampleCall(model, operation)
    return (
      ofOperation(operation)['x-codeSamples'] ??
      languages.map(({ lang, label, write }) => ({ lang, label, source: write(call) }))
    )
  })
}

/** By operationId, the samples in one more language, for the operations that bring none. */
export function samplesIn(document: Document, { write }: Language): Map<string, string> {
  const model = modelOf(document)
  const own = model.operations.filter((operation) => ofOperation(operation)['x-codeSamples'] === undefined)
  return new Map(own.map((operation) => [operation.id, write(exampleCall(model, operation))]))
}

const exampleCall = (model: Model, operation: Operation) =>
  callOf(callableOf(model, operation), exampleRequest(operation), exampleServer)
