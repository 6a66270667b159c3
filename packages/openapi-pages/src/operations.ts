// The form of each operation, as one script with what it needs of the operation: while a new version is rolled out, two
// requests may meet two versions.
import { readFile } from 'node:fs/promises'
import { type Document, modelOf, type Operation } from 'exact-openapi'
import type { FastifyInstance } from 'fastify'
import { operationData } from './operation-data.ts'
import { lazy, memoize } from './static/memoize.ts'
import { type ResourceOf, send } from './static/resource.ts'
import { scriptOf } from './static/script.ts'
import { assetsIn, nameOf, shared } from './static/site.ts'

const entry = 'try-it-form.js'

/** A module that exports the operation and `formOf`. */
export function serveOperations(app: FastifyInstance, path: string, document: Document, resourceOf: ResourceOf) {
  const model = modelOf(document)
  const operations = new Map(model.operations.map((operation) => [`${operation.id}.js`, operation]))
  const form = lazy(async () => {
    const urls = (await assetsIn(new URL('../', shared))).filter(({ pathname }) => pathname.endsWith('.js'))
    const texts = urls.map(async (url) => [nameOf(url), await readFile(url, 'utf8')] as const)
    return scriptOf(entry, new Map(await Promise.all(texts)))
  })
  const scripts = memoize((_name, script: string, operation: Operation) => {
    const data = JSON.stringify(operationData(model, operation))
    const made = `const { formOf, parseExactly } = $import('${entry}')\nexport { formOf }\n`
    return resourceOf(
      'text/javascript; charset=utf-8',
      `${script}${made}export const operation = parseExactly(${data})\n`,
    )
  })
  app.get<{ Params: { '*': string } }>(`${path}/*`, async ({ params: { '*': name } }, reply) => {
    const operation = operations.get(name)
    if (!operation) return reply.callNotFound()
    return send(reply.header('cache-control', 'no-cache'), scripts(name, await form(), operation))
  })
}
