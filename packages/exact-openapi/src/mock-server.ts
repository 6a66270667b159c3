// A server that responds with examples of a document, and follows its changes.
import { once } from 'node:events'
import { watch } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { exactOpenapi } from './contract/index.ts'
import { problemsOf } from './contract/problems.ts'
import { prefixOf } from './contract/routes.ts'
import { mock } from './examples/mock.ts'
import { readDocument } from './load.ts'
import { modelOf } from './model/index.ts'

/** One change of a file is reported several times. */
const SETTLE_MS = 50

/**
 * Rules that the document breaks are tolerated, and any credential is accepted. After a change that cannot be read, the former
 * document is served. @returns its address, once it listens
 */
export async function mockServer(file: URL, port: number, print: (text: string) => void, signal?: AbortSignal) {
  const files = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function noteFile({ href }: URL): void {
    if (files.has(href)) return
    files.add(href)
    const folder = new URL('.', href)
    watch(folder, { persistent: false, ...(signal && { signal }) }, (_type, name) => {
      if (!files.has(new URL(String(name), folder).href)) return
      clearTimeout(timer)
      timer = setTimeout(reload, SETTLE_MS)
    })
  }

  async function load() {
    const document = readDocument(file, noteFile)
    const { problems, broken } = problemsOf(document)
    if (problems.length > 0) throw new Error(problems.join('\n'))
    const accepting = [...modelOf(document).securitySchemes.keys()].map((name) => [name, () => () => {}])
    const app = Fastify()
    await app.register(exactOpenapi, {
      document,
      handlers: {},
      missing: mock,
      guards: Object.fromEntries(accepting),
      tolerate: [...broken.keys()],
    })
    await app.ready()
    return { app, prefix: prefixOf(document) }
  }

  async function reload(): Promise<void> {
    try {
      loaded = await load()
      print('The document has changed.\n')
    } catch (error) {
      print(`${(error as Error).message}\n`)
    }
  }

  let loaded = await load()
  const server = createServer((request, response) => loaded.app.routing(request, response))
  server.listen({ port, host: '127.0.0.1', signal })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${loaded.prefix}`
}
