import t from 'tap'
import { formatEntry, linesIn, parseLine } from '../../../config/keys/file.ts'

const digest = 'ab'.repeat(32)
const entry = { name: 'shop', digest, isReadOnly: false, created: undefined, expires: undefined, grace: undefined }
const entryIn = (line: string) => linesIn(line)[0]?.entry

t.test('formatting and parsing a line are inverse', async (t) => {
  const times = { created: '2026-11-22T00:00:00Z', expires: '2027-02-20T12:30:15Z', grace: '2027-01-01T00:00:00.001Z' }
  const [created, expires, grace] = Object.values(times).map(Date.parse)
  const full = { ...entry, isReadOnly: true, created, expires, grace }
  t.equal(formatEntry(entry), `shop sha256:${digest}`)
  const attributes = Object.entries(times).map((each) => each.join('='))
  t.equal(formatEntry(full), ['shop', `sha256:${digest}`, 'read-only', ...attributes].join(' '))
  for (const each of [entry, full]) t.strictSame(entryIn(formatEntry(each)), each)
})

t.test('attributes come in any order', async (t) => {
  const line = `shop sha256:${digest}  expires=2028-02-29\t read-only `
  t.strictSame(entryIn(line), { ...entry, isReadOnly: true, expires: Date.UTC(2028, 1, 29) })
})

t.test('invalid times and unknown attributes are errors that do not quote the line', async (t) => {
  const times = ['2027-02-29', '2027-13-01', '2027-01-01T25:00:00Z', '2027-01-01T00:00:00', '']
  const words = ['grace=7d', 'until=2027-01-01', 'Read-only', 'secret']
  for (const word of [...times.map((time) => `expires=${time}`), ...words]) {
    const problem = parseLine(`shop sha256:${digest} ${word}`)
    t.match(problem, /^after the digest, only read-only, created=/, word)
    t.notMatch(problem, /secret|until/)
  }
})
