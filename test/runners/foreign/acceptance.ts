// Starts each document of a folder, with what it needs to be tolerated, and renders its pages. Prints what became of it, the
// CPU of the start in milliseconds, and counts.
//
//   node --import=./test/loader/typescript.js test/runners/foreign/acceptance.ts FOLDER
import { readdirSync } from 'node:fs'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { type Document, exactOpenapi, loadDocument, modelOf, problemsOf, type Rule } from 'exact-openapi'
import Fastify from 'fastify'
import { openapiPages } from 'openapi-pages'

/** A document that breaks more rules has to be mended. */
const MOST_TOLERATED = 2

const folder = String(process.argv[2])
const counts: Record<string, number> = {}
for (const name of readdirSync(folder).sort()) {
  if (!/\.(ya?ml|json)$/.test(name)) continue
  const [outcome, details] = await outcomeOf(pathToFileURL(`${folder}/${name}`))
  counts[outcome] = (counts[outcome] ?? 0) + 1
  console.log([name, outcome, details].join('\t'))
}
console.log(counts)

async function outcomeOf(file: URL): Promise<[outcome: string, details: string]> {
  try {
    const document = loadDocument(file)
    const { problems, broken } = problemsOf(document)
    const tolerate = [...broken.keys()]
    if (problems.length > 0) return ['refused', problems[0] as string]
    if (tolerate.length > MOST_TOLERATED) return ['refused', `it breaks ${tolerate.join(', ')}`]
    const begun = process.cpuUsage()
    await start(document, tolerate)
    const { user, system } = process.cpuUsage(begun)
    const details = [`${Math.round((user + system) / 1000)} ms`, ...tolerate].join(', ')
    const faults = await faultsOf(document)
    return faults.length > 0 ? ['started, with faulty pages', faults.slice(0, 3).join('; ')] : ['started', details]
  } catch (error) {
    return ['refused', (error as Error).message]
  }
}

async function start(document: Document, tolerate: readonly Rule[]): Promise<void> {
  const { operations, securitySchemes } = modelOf(document)
  const guards = Object.fromEntries([...securitySchemes.keys()].map((name) => [name, () => []]))
  const handlers = Object.fromEntries(operations.map(({ id }) => [id, async () => ({ status: 204 })]))
  const app = Fastify()
  for (const method of new Set(operations.map((one) => one.method))) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  await app.register(exactOpenapi, { document, handlers, guards, tolerate })
  await app.close()
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
    const all = (pattern: RegExp) => Array.from(body.matchAll(pattern), ([, found]) => String(found))
    pages.set(path, { ids: all(/ id="([^"]*)"/g), links: all(/<a [^>]*href="([.#][^"]*)"/g) })
  }
  const text = (await app.inject('/docs.md')).body
  await app.close()
  const isDead = (page: string, link: string) => {
    const { pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://x${page}`)
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
