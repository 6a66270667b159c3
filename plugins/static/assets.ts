// The files that a page loads, under one version.
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { digest, type Resource, resource } from './resource.ts'

export interface Assets {
  /** Part of the URL of every file. It changes when any of them does, so that they can be cached indefinitely. */
  version: string
  files: ReadonlyMap<string, Resource>
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

export async function loadAssets(urls: readonly URL[]): Promise<Assets> {
  const files = await Promise.all(
    urls.map(async (url) => ({ name: url.pathname.replace(/.*\//, ''), bytes: await readFile(url) })),
  )
  return {
    version: digest(...files.map(({ bytes }) => bytes)),
    files: new Map(files.map(({ name, bytes }) => [name, resource(String(types[extname(name)]), bytes)])),
  }
}

/** The fonts that browser/shared/fonts.css names. */
export function fonts(): URL[] {
  return [
    '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
    '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  ].map((name) => new URL(import.meta.resolve(name)))
}

/** Located by one of its files: Node does not resolve a name that ends in a slash. */
const browserFolder = new URL('../', import.meta.resolve('#browser/shared/base.css'))

/** `name` is relative to browser/. */
export function browserFile(name: string): URL {
  return new URL(name, browserFolder)
}

/** The files in a folder of browser/ that browsers load, sorted by name. */
export async function assetsIn(name: 'shared' | 'docs' | 'dashboard'): Promise<URL[]> {
  const folder = new URL(`../${name}/`, browserFile('shared/base.css')) // Node resolves files only
  const names = await readdir(folder)
  return names
    .filter((name) => extname(name) in types)
    .sort()
    .map((name) => new URL(name, folder))
}
