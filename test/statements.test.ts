// Reads the prose of the reference sentence by sentence, and holds it against the server. A sentence without a check
// fails, and so does a check without a sentence.
import { marked, type Token, type Tokens } from 'marked'
import t from 'tap'
import { readReference } from '../site/reference/read.ts'
import { loadDocument } from '../spec/document.ts'
import { behavior } from './statements/behavior.ts'
import { beyondTests } from './statements/beyond-tests.ts'
import { clients } from './statements/clients.ts'
import { errors } from './statements/errors.ts'
import { limits } from './statements/limits.ts'

const { introduction, guide, groups } = readReference(loadDocument())
const operations = groups.flatMap((group) => group.operations)
const texts = [introduction, ...guide.map(({ text }) => text), ...operations.map(({ description }) => description)]
const statements = texts.flatMap((text) => marked.lexer(text).flatMap(statementsOf))
const checks = Object.entries({ ...behavior, ...clients, ...errors, ...limits })
const unchecked = Object.values(beyondTests).flat()

/** Sentences, rows of tables and blocks of code. */
function statementsOf(token: Token): string[] {
  if (token.type === 'table') return (token as Tokens.Table).rows.map((row) => row.map(({ text }) => text).join(' | '))
  if (token.type === 'code') return [token.text]
  const blocks = token.type === 'list' ? (token as Tokens.List).items.map(({ text }) => text) : [token.raw]
  return blocks
    .flatMap((block) => block.replace(/\s+/g, ' ').split(/(?<=\.\**) (?=[A-Z`*\d])/))
    .filter((text) => text.trim())
}

t.test('every statement is checked, or named as one that no test can check', async (t) => {
  const known = [...checks.map(([part]) => part), ...unchecked]
  t.strictSame(
    statements.filter((statement) => !known.some((part) => statement.includes(part))),
    [],
  )
  t.strictSame(
    known.filter((part) => !statements.some((statement) => statement.includes(part))),
    [],
  )
})

for (const check of new Set(checks.map(([, check]) => check))) {
  const parts = checks.filter((each) => each[1] === check).map(([part]) => part)
  const held = new Set(statements.filter((statement) => parts.some((part) => statement.includes(part))))
  t.test([...held].join('; ').split('\n', 1).join().slice(0, 120), async (t) => {
    for (const statement of check.length > 1 ? held : [...held].slice(0, 1)) await check(t, statement) // one does for all
  })
}
