// The files that the page is made of: Swagger UI's, as @fastify/swagger-ui packs them, and those in ./ui.
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { digest, type Resource, resource } from './resource.ts'

export interface Assets {
  /** Stands in the address of every file: it changes when one of them does, and so they may be cached for ever. */
  version: string
  files: ReadonlyMap<string, Resource>
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export async function loadAssets(): Promise<Assets> {
  const own = new URL('.', import.meta.resolve('store-orders/docs/start.js'))
  const names = (await readdir(own)).filter((name) => extname(name) in types).sort()
  const urls = [
    ...['swagger-ui-bundle.js', 'swagger-ui.css'].map((name) => swaggerUiFile(name)),
    ...names.map((name) => new URL(name, own)),
  ]
  const files = await Promise.all(
    urls.map(async (url) => ({ name: url.pathname.replace(/.*\//, ''), bytes: await readFile(url) })),
  )
  return {
    version: digest(...files.map(({ bytes }) => bytes)),
    files: new Map(files.map(({ name, bytes }) => [name, resource(String(types[extname(name)]), bytes)])),
  }
}

function swaggerUiFile(name: string): URL {
  return new URL(import.meta.resolve(`@fastify/swagger-ui/static/${name}`))
}
