// Code samples of operations, made from their examples. Addresses begin with the placeholder `exampleServer`.
import type { Document } from 'exact-openapi'
import { type Model, modelOf, type Operation, withExtension } from 'exact-openapi/model'
import { type Language, languages, moreLanguages } from '#browser/languages.js'
import { callOf } from '#browser/request.js'
import { exampleRequest } from '../example-request.ts'
import { ofOperation } from '../extensions.ts'
import { exampleOrigin, exampleServer } from '../server.ts'
import { callableOf } from './call.ts'

/** Those in the document and on the page, and those that a reader can add. @param labels all that are offered, if not all */
export function languagesOf(labels: readonly string[] | undefined) {
  if (!labels) return { shown: languages, more: moreLanguages }
  const all = [...languages, ...moreLanguages]
  const chosen = labels.map((label) => {
    const language = all.find((language) => language.label === label)
    if (!language) throw new Error(`languages: ${label} is none of ${all.map((language) => language.label).join(', ')}`)
    return language
  })
  return { shown: chosen, more: [] }
}

/** The document with samples for the operations that bring none. */
export function withSamples(document: Document, chosen: readonly Language[] = languages): Document {
  const model = modelOf(document)
  return withExtension(document, 'x-codeSamples', (operation) => {
    const call = exampleCall(model, operation)
    return (
      ofOperation(operation)['x-codeSamples'] ??
      chosen.map(({ lang, label, write }) => ({ lang, label, source: write(call) }))
    )
  })
}

/** By operationId, the samples in one more language, for the operations that bring none. */
export function samplesIn(document: Document, { write }: Language): Map<string, string> {
  const model = modelOf(document)
  const operations = model.operations.filter((operation) => ofOperation(operation)['x-codeSamples'] === undefined)
  return new Map(operations.map((operation) => [operation.id, write(exampleCall(model, operation))]))
}

function exampleCall(model: Model, operation: Operation) {
  const callable = callableOf(model, operation)
  const [declared] = callable.servers ?? []
  const server =
    declared === undefined ? exampleServer : URL.canParse(declared) ? declared : `${exampleOrigin}${declared}`
  return callOf(callable, exampleRequest(operation), server)
}
