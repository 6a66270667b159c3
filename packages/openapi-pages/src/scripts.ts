// What pages load when a reader first needs it: the search, and the form of each operation. Each is one script: while a new
// version is rolled out, two requests may meet two versions. All are read before the app is ready, as its pages are.
import { readFile } from 'node:fs/promises'
import type { Document } from 'exact-openapi'
import { modelOf, type Operation } from 'exact-openapi/model'
import type { FastifyInstance } from 'fastify'
import { operationData } from './operation-data.ts'
import { lazy, memoize } from './static/memoize.ts'
import { type Copies, resource, send } from './static/resource.ts'
import { scriptOf } from './static/script.ts'
import { assetsIn, nameOf, shared } from './static/site.ts'

const javaScript = 'text/javascript; charset=utf-8'

/** The texts of the modules in browser/ by name, read when first needed. */
export type Modules = ReturnType<typeof browserModules>

export const browserModules = () =>
  lazy(async () => {
    const scripts = (await assetsIn(new URL('../', shared))).filter(({ pathname }) => pathname.endsWith('.js'))
    const library = new URL(import.meta.resolve('minisearch'))
    const texts = scripts.map(async (url) => [nameOf(url), await readFile(url, 'utf8')] as const)
    return new Map([...(await Promise.all(texts)), ['minisearch.js', await readFile(library, 'utf8')] as const])
  })

/** A module that exports these of another, with all that it imports. */
export function moduleOf(modules: Modules, entry: string, ...names: string[]): () => Promise<string> {
  const exported = names.join(', ')
  const end = `const { ${exported} } = $import('${entry}')\nexport { ${exported} }\n`
  return lazy(async () => `${scriptOf(entry, await modules())}${end}`)
}

/** @param more is called when a reader first needs it */
export function serveScript(app: FastifyInstance, path: string, module: () => Promise<string>, more = () => '') {
  const script = lazy(async () => resource(javaScript, `${await module()}${more()}`))
  app.addHook('onReady', async () => void (await module()))
  app.get(path, async (_request, reply) => send(reply.header('cache-control', 'no-cache'), await script()))
}

/** Each exports `operation`, and `formOf` for it. */
export function serveOperations(
  app: FastifyInstance,
  modules: Modules,
  path: string,
  document: () => Document,
  copiesOf: Copies,
) {
  const operations = lazy(
    () => new Map(modelOf(document()).operations.map((operation) => [`${operation.id}.js`, operation])),
  )
  const form = moduleOf(modules, 'try-it-form.js', 'formOf', 'readOperation')
  app.addHook('onReady', async () => void (await form()))
  const scripts = memoize((_name, script: string, operation: Operation) => {
    const data = JSON.stringify(operationData(modelOf(document()), operation))
    return copiesOf(javaScript)(`${script}export const operation = readOperation(${data})\n`)
  })
  app.get<{ Params: { '*': string } }>(`${path}/*`, async ({ params: { '*': name } }, reply) => {
    const operation = operations().get(name)
    if (!operation) return reply.callNotFound()
    return send(reply.header('cache-control', 'no-cache'), scripts(name, await form(), operation))
  })
}
