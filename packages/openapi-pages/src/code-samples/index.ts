// Code samples of operations, made from their examples. Addresses begin with `exampleServer`.
import { type Document, modelOf, withExtension } from 'exact-openapi'
import { ofOperation } from '../extensions.ts'
import { type Call, callOf } from './call.ts'
import { csharp } from './csharp.ts'
import { curl } from './curl.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javaScript } from './javascript.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'

type Language = readonly [lang: string, label: string, write: (call: Call) => string]

/** In the document and in the page. */
const languages: readonly Language[] = [
  ['Shell', 'curl', curl],
  ['JavaScript', 'JavaScript', javaScript],
  ['Python', 'Python', python],
  ['Go', 'Go', go],
]

/** Each on a page of its own, `/docs/samples/php`: in the document, they would double its size. */
export const moreLanguages: readonly Language[] = [
  ['php', 'PHP', php],
  ['ruby', 'Ruby', ruby],
  ['java', 'Java', java],
  ['csharp', 'C#', csharp],
]

/** The document with samples for the operations that bring none. */
export function withSamples(document: Document): Document {
  const model = modelOf(document)
  return withExtension(document, 'x-codeSamples', (operation) => {
    const call = callOf(model, operation)
    return (
      ofOperation(operation)['x-codeSamples'] ??
      languages.map(([lang, label, write]) => ({ lang, label, source: write(call) }))
    )
  })
}

/** By operationId, the samples in one more language, for the operations that bring none. */
export function samplesIn(document: Document, [, , write]: Language): Map<string, string> {
  const model = modelOf(document)
  const own = model.operations.filter((operation) => ofOperation(operation)['x-codeSamples'] === undefined)
  return new Map(own.map((operation) => [operation.id, write(callOf(model, operation))]))
}
