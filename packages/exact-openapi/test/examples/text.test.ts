import t from 'tap'
import { generateExample } from '../../src/examples/index.ts'
import { list, makes, schemaOf, string } from '../fixtures/examples.ts'

t.test('each format has an example', async (t) => {
  const ofNames = 'date date-time duration email hostname ipv4 ipv6 json-pointer regex time uri uri-template uuid'
  for (const format of `${ofNames} byte idn-email iri iri-reference relative-json-pointer uri-reference url`.split(' '))
    t.equal(generateExample(schemaOf({ ...string, format })).violation, undefined, format)
})

t.test('a text has the pattern, the length and the format that the schema demands, and others do, too', async (t) =>
  makes(t, [
    [{ ...string, pattern: '^\\p{Lu}\\u0041\\x42$' }, 'AAB'],
    [{ ...string, pattern: '^[^x]\\.\\d{2}[a-f]$' }, 'a.11a'],
    [{ ...string, pattern: '^(a|b){2}$', enum: ['c', 'ab'] }, 'ab'],
    [{ ...string, pattern: '^a?b{2,}c{1,3}d*$' }, 'abbcd'],
    [{ ...string, pattern: '^b*$', minLength: 7 }, 'bbbbbbb'],
    [{ ...string, pattern: '^b', minLength: 4 }, 'baaa'],
    [{ ...string, pattern: 'b$', minLength: 4 }, 'aaab'],
    [{ ...string, pattern: '^(?<x>.)\\b(?:\\t)a+?$' }, 'a\ta'],
    [{ ...string, pattern: '^(?=.*@)' }, 'user@example.com'],
    [{ ...list({ ...string, pattern: '^(a|b|c|d)$' }), minItems: 4, uniqueItems: true }, ['a', 'b', 'c', 'd']],
    [{ ...list({ ...string, maxLength: 3 }), minItems: 5, uniqueItems: true }, ['str', 'P1D', '0', 'st1', 'st2']],
    [{ ...list({ ...string, format: 'date' }), minItems: 2, uniqueItems: true }, ['2026-10-05', '2026-10-01']],
  ]),
)
