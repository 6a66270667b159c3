// Generates the types of each document, what every operation of the public one has, and its operations for the client.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseDocument } from 'exact-openapi'
import { typesOf } from 'exact-openapi/types'
import { clientOf } from '../../packages/client/scripts/generate.ts'
import { complete } from './complete-document.ts'

/** Texts by their paths in the project at a folder, and what is wrong with the documents. */
export async function generateTypes(root: string): Promise<{ files: Record<string, string>; errors: string[] }> {
  const files: Record<string, string> = {}
  const errors: string[] = []
  for (const document of await documentsIn(root)) {
    try {
      Object.assign(files, await generated(root, document))
    } catch (error) {
      errors.push(`${document}: ${(error as Error).message}`)
    }
  }
  return { files, errors }
}

async function documentsIn(root: string): Promise<string[]> {
  const folders = ['spec', 'domains/api'].filter((folder) => existsSync(`${root}/${folder}`))
  const names = folders.map(async (folder) => (await readdir(`${root}/${folder}`)).map((name) => `${folder}/${name}`))
  return (await Promise.all(names)).flat().filter((path) => path.endsWith('.yaml'))
}

async function generated(root: string, document: string): Promise<Record<string, string>> {
  const isPublic = basename(document) === 'openapi.yaml'
  const source = await readFile(`${root}/${document}`, 'utf8')
  const text = isPublic ? complete(source) : source
  const read = parseDocument(text, document)
  const header = `// Generated from ${basename(document)} by \`npm run types\`. Do not edit.\n\n`
  const hasClient = isPublic && existsSync(`${root}/packages/client`)
  return {
    [document]: text,
    [document.replace(/\.yaml$/, '.d.ts')]: header + (await typesOf(read)),
    ...(hasClient && { 'packages/client/operations.ts': clientOf(read) }),
  }
}
