// The commands: openapi-pages build FILE OUT, openapi-pages check FILE.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { loadDocument } from 'exact-openapi'
import { buildPages } from './build.ts'
import { refusedSamples, wrongExamples } from './check.ts'

const usage = `Usage: openapi-pages build FILE OUT [--url URL] [--server URL] [--path PATH] [--changelog FILE]
       openapi-pages check FILE

build writes the reference of an OpenAPI document as files for any static host.
check names the examples that their schemas refuse, and the samples that a mock of the API refuses.

  --url        where the files will be, for crawlers and for sites that link to them
  --server     the base URL of the API, in place of the document's
  --path       of the first page: /docs unless given
  --changelog  Markdown with a heading for each version
`

const options = {
  url: { type: 'string' },
  server: { type: 'string' },
  path: { type: 'string' },
  changelog: { type: 'string' },
} as const

/** @returns the exit status */
export async function main(args: string[], print: (text: string) => void): Promise<number> {
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
    const [command, file, out, ...others] = positionals
    if (command === 'check' && file !== undefined && out === undefined) return await check(file, print)
    if (command === 'build' && out !== undefined && others.length === 0) {
      const { changelog, ...settings } = values
      const count = await buildPages(loadDocument(pathToFileURL(String(file))), out, {
        ...settings,
        ...(changelog !== undefined && { changelog: () => readFileSync(changelog, 'utf8') }),
      })
      print(`${count} files in ${out}\n`)
      return 0
    }
    print(usage)
  } catch (error) {
    print(`${(error as Error).message}\n`)
  }
  return 1
}

async function check(file: string, print: (text: string) => void): Promise<number> {
  const document = loadDocument(pathToFileURL(file))
  const wrong = wrongExamples(document)
  const refused = await refusedSamples(document)
  for (const line of [...wrong.map((text) => `example: ${text}`), ...refused.map((text) => `sample: ${text}`)])
    print(`${line}\n`)
  return wrong.length + refused.length > 0 ? 1 : 0
}
