// Reads the prose of the reference sentence by sentence, and runs the check of each. A sentence without a check
// fails, and so does a check without a sentence.
import { modelOf } from 'exact-openapi/model'
import { marked, type Token, type Tokens } from 'marked'
import t from 'tap'
import { allFields } from '../packages/openapi-pages/src/reference/fields.ts'
import { readReference } from '../packages/openapi-pages/src/reference/read.ts'
import { loadDocument } from '../spec/document.ts'
import { behavior } from './statements/behavior.ts'
import { beyondTests } from './statements/beyond-tests.ts'
import { clients } from './statements/clients.ts'
import { errors } from './statements/errors.ts'
import { headers } from './statements/headers.ts'
import { limits } from './statements/limits.ts'
import { schemas } from './statements/schemas.ts'

const document = loadDocument()
const reference = readReference(document)
const parts = reference.schemas.map(({ part }) => part())
const operations = reference.groups.flatMap((group) => group.operations)
/** The descriptions of responses that operations can share: one check is for all of them. */
const shared = new Set([...modelOf(document).responses.values()].map(({ description }) => description.trim()))
const responses = [...reference.responses, ...operations.flatMap((operation) => operation.responses)].map((response) =>
  shared.has(response.description.trim()) ? { ...response, id: `responses-${response.status}` } : response,
)
const fields = [
  ...operations.flatMap((operation) => operation.parameters),
  ...reference.headers,
  ...operations.flatMap(inlineFields),
  ...parts.flatMap(({ content }) => allFields(content)),
]
const statements = new Set([
  ...[reference.introduction, ...reference.guide.map(({ text }) => text)].flatMap(sentencesOf),
  ...operations.flatMap(({ description }) => sentencesOf(description)),
  ...[...responses, ...fields, ...parts].flatMap(({ id, description }) => ofPart(id, sentencesOf(description))),
  ...fields.flatMap(({ id, type }) => ofPart(id, type.constraints)),
  ...parts.flatMap(({ id, type: { values } }) => values.map((value) => `${id}: \`${value}\``)),
])
const checks = { ...behavior, ...clients, ...errors, ...headers, ...limits, ...schemas }
const entries = [...Object.keys(checks), ...Object.values(beyondTests).flat()]

/** Of bodies whose schema has no section of its own. */
function inlineFields({ body, responses }: (typeof operations)[number]) {
  const formats = [...(body?.formats ?? []), ...responses.flatMap((response) => response.formats)]
  return formats.flatMap(({ type, content }) => (type.schemaId === undefined ? allFields(content) : []))
}

/** Statements about a response, a field or a schema begin with its id: `cancelOrder-204: No body.` */
function ofPart(id: string, sentences: readonly string[]): string[] {
  return sentences.map((sentence) => `${id}: ${sentence}`)
}

function sentencesOf(text: string): string[] {
  return marked.lexer(text).flatMap(sentencesIn)
}

/** Sentences, rows of tables and blocks of code. */
function sentencesIn(token: Token): string[] {
  if (token.type === 'table') return (token as Tokens.Table).rows.map((row) => row.map(({ text }) => text).join(' | '))
  if (token.type === 'code') return [token.text]
  if (token.type === 'html') return [/<title>(.*)<\/title>/.exec(token.raw)?.[1] ?? token.raw]
  const blocks = token.type === 'list' ? (token as Tokens.List).items.map(({ text }) => text) : [token.raw]
  return blocks
    .flatMap((block) => block.replace(/\s+/g, ' ').split(/(?<=\.\**) (?=[A-Z`*\d])/))
    .map((text) => text.trim())
    .filter(Boolean)
}

/** The whole statement, or else a family of statements: its check reads what stands in place of each `…`. */
function entryOf(statement: string): string | undefined {
  if (entries.includes(statement)) return statement
  return entries.find((entry) => entry.includes('…') && patternOf(entry).test(statement))
}

const patternOf = (entry: string) =>
  new RegExp(`^${entry.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.+')}$`, 's')

t.test('every statement has an entry, and every entry a statement', async (t) => {
  const found = [...statements].map((statement) => [statement, entryOf(statement)])
  const used = new Set(found.map(([, entry]) => entry))
  const unchecked = found.filter(([, entry]) => entry === undefined)
  const unused = entries.filter((entry) => !used.has(entry))
  t.strictSame({ unchecked, unused }, { unchecked: [], unused: [] })
})

for (const check of new Set(Object.values(checks))) {
  const held = [...statements].filter((statement) => checks[String(entryOf(statement))] === check)
  t.test(held.join('; ').split('\n', 1).join().slice(0, 120), async (t) => {
    for (const statement of check.length > 1 ? held : held.slice(0, 1)) await check(t, statement) // one is enough
  })
}
