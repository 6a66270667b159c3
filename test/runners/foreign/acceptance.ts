// Starts each document of a folder, with what it needs to be tolerated, renders its pages, sends the requests that they show,
// writes and compiles its types, and starts its mock. Prints what became of it, the CPU of the start in milliseconds, and counts: a request that is refused must stand
// beside a sentence on what is wrong with its example.
//
//   node --import=./test/loader/typescript.js test/runners/foreign/acceptance.ts FOLDER
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { type Document, exactOpenapi, loadDocument, problemsOf, type Rule } from 'exact-openapi'
import { modelOf } from 'exact-openapi/model'
import { typesOf } from 'exact-openapi/types'
import Fastify, { type FastifyInstance } from 'fastify'
import { exampleRequest, openapiPages } from 'openapi-pages'
import { compilerErrors } from 'test-kit/compiler-errors'
import { prefixOf } from '../../../packages/exact-openapi/src/contract/routes.ts'
import { mockServer } from '../../../packages/exact-openapi/src/mock-server.ts'
import { callOf } from '../../../packages/openapi-pages/browser/request.js'
import { callableOf } from '../../../packages/openapi-pages/src/code-samples/call.ts'
import { bodyExample } from '../../../packages/openapi-pages/src/example-request.ts'

/** A document that breaks more rules has to be mended. */
const MOST_TOLERATED = 2

const folder = String(process.argv[2])
const counts: Record<string, number> = {}
const requests = { sent: 0, refused: 0 }
const types = mkdtempSync(`${tmpdir()}/types-`)
for (const name of readdirSync(folder).sort()) {
  if (!/\.(ya?ml|json)$/.test(name)) continue
  const [outcome, details] = await outcomeOf(pathToFileURL(`${folder}/${name}`))
  counts[outcome] = (counts[outcome] ?? 0) + 1
  console.log([name, outcome, details].join('\t'))
}
const files = readdirSync(types).map((name) => `${types}/${name}`)
console.log(counts, requests, `types: ${files.length}`, compilerErrors(...files) || 'all compile')
rmSync(types, { recursive: true })

async function outcomeOf(file: URL): Promise<[outcome: string, details: string]> {
  try {
    const document = loadDocument(file)
    const { problems, broken } = problemsOf(document)
    const tolerate = [...broken.keys()]
    if (problems.length > 0) return ['refused', problems[0] as string]
    if (tolerate.length > MOST_TOLERATED) return ['refused', `it breaks ${tolerate.join(', ')}`]
    const begun = process.cpuUsage()
    const app = await start(document, tolerate)
    const { user, system } = process.cpuUsage(begun)
    const unexplained = await unexplainedOf(app, document)
    await app.close()
    await startMock(file)
    // Of a declaration file, errors would be hidden.
    writeFileSync(`${types}/${counts.started ?? 0}.ts`, await typesOf(document))
    const details = [`${Math.round((user + system) / 1000)} ms`, ...tolerate].join(', ')
    const faults = [...unexplained, ...(await faultsOf(document))]
    return faults.length > 0 ? ['started, with faulty pages', faults.slice(0, 3).join('; ')] : ['started', details]
  } catch (error) {
    return ['refused', (error as Error).message]
  }
}

async function start(document: Document, tolerate: readonly Rule[]): Promise<FastifyInstance> {
  const { operations, securitySchemes } = modelOf(document)
  const guards = Object.fromEntries([...securitySchemes.keys()].map((name) => [name, () => []]))
  const handlers = Object.fromEntries(operations.map(({ id }) => [id, async () => ({ status: 204 })]))
  const app = Fastify()
  for (const method of new Set(operations.map((one) => one.method))) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  await app.register(exactOpenapi, { document, handlers, guards, tolerate })
  await app.ready()
  return app
}

async function startMock(file: URL): Promise<void> {
  const end = new AbortController()
  await mockServer(file, 0, console.log, end.signal)
  end.abort()
}

/** The shown requests that the server fails for, or refuses although a body is possible that it accepts. */
async function unexplainedOf(app: FastifyInstance, document: Document): Promise<string[]> {
  const found: string[] = []
  const model = modelOf(document)
  for (const operation of model.operations) {
    const { id } = operation
    const call = callOf(callableOf(model, operation), exampleRequest(operation), prefixOf(document), [])
    const chunks = call.body?.chunks.map((chunk) => (typeof chunk === 'string' ? chunk : 'file'))
    const { statusCode, body } = await app.inject({
      method: call.method as 'POST',
      url: call.url.join(''),
      headers: Object.fromEntries(call.headers.map(([name, value]) => [name, value.join('')])),
      ...(chunks && { payload: chunks.join('') }),
    })
    requests.sent++
    if (statusCode >= 500) found.push(`${id}: ${body.slice(0, 300)}`)
    if (statusCode !== 400) continue
    requests.refused++
    const media = operation.body?.media[0]
    if (!media || !bodyExample(media).violation) found.push(`${id}: ${body.slice(0, 300)}`)
    else console.log(`IMPOSSIBLE ${id}: ${body.slice(0, 300)}`)
  }
  return found
}

/** What the pages lack or have twice, and their links that lead nowhere. */
async function faultsOf(document: Document): Promise<string[]> {
  const app = Fastify()
  await app.register(openapiPages, { document })
  const { body: map } = await app.inject('/sitemap.xml')
  const paths = Array.from(map.matchAll(/<loc>[^<]*?(\/docs[^<]*)</g), ([, path]) => String(path))
  const pages = new Map<string, { ids: string[]; links: string[] }>()
  for (const path of paths) {
    const { body } = await app.inject(path)
    const all = (pattern: RegExp) =>
      Array.from(body.matchAll(pattern), ([, found]) => String(found).replaceAll('&amp;', '&'))
    pages.set(path, { ids: all(/ id="([^"]*)"/g), links: all(/<a [^>]*href="([.#][^"]*)"/g) })
  }
  const text = (await app.inject('/docs.md')).body
  await app.close()
  const isDead = (page: string, link: string) => {
    const { pathname, hash } = new URL(link, `http://x${page}`)
    return hash !== '' && pages.get(pathname)?.ids.includes(decodeURIComponent(hash.slice(1))) === false
  }
  return [
    ...modelOf(document)
      .operations.filter(({ path }) => paths.length < 2 && !text.includes(path))
      .map(({ id }) => `${id} is missing`),
    ...[...pages].flatMap(([page, { ids, links }]) => [
      ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is there twice`),
      ...links.filter((link) => isDead(page, link)).map((link) => `${link} leads nowhere`),
    ]),
  ]
}
