// The first call that a reader can make: a GET that needs no parameters changes nothing.
import type { Model, Operation, Response } from 'exact-openapi/model'
import { targetOf } from '#browser/request.js'
import { alternativesOf } from '../credentials.ts'
import { bodyExample, exampleRequest } from '../example-request.ts'
import { ofOperation } from '../extensions.ts'
import { shownAs } from './bodies.ts'

/** So many lines of the answer are seen. */
const MOST_LINES = 16

/** Undefined if there is no such operation, or no sample of it. */
export function firstCallOf(model: Model, idOf: ReadonlyMap<Operation, string>) {
  for (const operation of model.operations.filter(isSimple)) {
    const [sample] = ofOperation(operation)['x-codeSamples'] ?? []
    const response = operation.responses.find(({ status }) => status.startsWith('2'))
    if (!sample || !response) continue
    return {
      id: String(idOf.get(operation)),
      summary: operation.summary ?? operation.id,
      isTryable: ofOperation(operation)['x-explorer-enabled'] !== false,
      /** What it takes behind the base URL, and the schemes of each way to be allowed. */
      target: targetOf(operation, exampleRequest(operation)),
      schemes: alternativesOf(model, operation).map(({ credentials }) => credentials.map(({ scheme }) => scheme)),
      accept: response.media[0]?.type,
      sample,
      answer: { status: response.status, ...answerOf(response) },
    }
  }
  return undefined
}

function isSimple({ method, parameters, servers = [] }: Operation): boolean {
  return method === 'GET' && servers.length === 0 && parameters.every(({ required }) => !required)
}

function answerOf({ media: [media] }: Response) {
  if (!media) return { text: '', lang: 'text' }
  const { value } = bodyExample(media, 'response')
  const { text, lang } = shownAs(media.type, value)
  const lines = value === undefined ? [] : text.split('\n').slice(0, MOST_LINES)
  return { text: lines.join('\n'), lang }
}
