// The requests of a document, with each media type of their bodies.
import type { Document } from 'exact-openapi'
import { modelOf } from 'exact-openapi/model'
import { languages, moreLanguages } from '../../../../packages/openapi-pages/browser/languages.js'
import { type Call, callOf } from '../../../../packages/openapi-pages/browser/request.js'
import { callableOf } from '../../../../packages/openapi-pages/src/code-samples/call.ts'
import { samplesIn } from '../../../../packages/openapi-pages/src/code-samples/index.ts'
import { exampleRequest } from '../../../../packages/openapi-pages/src/example-request.ts'
import { ofOperation } from '../../../../packages/openapi-pages/src/extensions.ts'
import { exampleOrigin, exampleServer } from '../../../../packages/openapi-pages/src/server.ts'

export interface Picture {
  name: string
  at(server: string): Call
}

/**
 * @returns how many operations have samples of their own, which are not ours; those whose body no sample has; and those whose
 * samples on the page are others than these
 */
export function picturesOf(document: Document) {
  const model = modelOf(document)
  const isOwn = (operation: (typeof model.operations)[number]) => ofOperation(operation)['x-codeSamples'] !== undefined
  const operations = model.operations.filter((operation) => !isOwn(operation))
  const samples = [...languages, ...moreLanguages].map((language) => [language, samplesIn(document, language)] as const)
  const all = operations.map((operation) => {
    const callable = callableOf(model, operation)
    const [first, ...others] = operation.body?.media ?? []
    const pictures = [first, ...others].map((media): Picture => {
      const request = exampleRequest(operation, media)
      const name = [`${operation.method} ${operation.path}`, ...(media ? [media.type] : [])].join(', ')
      return { name, at: (server) => callOf(callable, request, server) }
    })
    const [own = exampleServer] = callable.servers ?? []
    const usual = (pictures[0] as Picture).at(URL.canParse(own) ? own : `${exampleOrigin}${own}`)
    const unlike = samples.filter(([{ write }, texts]) => texts.get(operation.id) !== write(usual))
    const isBodiless = first !== undefined && operation.method !== 'HEAD' && !usual.body
    return { name: `${operation.method} ${operation.path}`, pictures, unlike: unlike.length > 0, isBodiless }
  })
  return {
    own: model.operations.length - operations.length,
    pictures: all.flatMap(({ pictures }) => pictures),
    bodiless: all.filter(({ isBodiless }) => isBodiless).map(({ name }) => `${name} has a body that no sample has`),
    unlike: all.filter(({ unlike }) => unlike).map(({ name }) => `${name} has other samples`),
  }
}
