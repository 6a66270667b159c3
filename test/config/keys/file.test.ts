import t from 'tap'
import { formatEntry, formatTime, linesIn, parseLine } from '../../../config/keys/file.ts'

const digest = 'ab'.repeat(32)
const entry = { name: 'shop', digest, isReadOnly: false, created: undefined, expires: undefined, grace: undefined }
const entryIn = (line: string) => linesIn(line)[0]?.entry

t.test('formatting and parsing a line are inverse', async (t) => {
  const [created, expires, grace] = [
    Date.UTC(2026, 10, 22),
    Date.UTC(2027, 1, 20, 12, 30, 15),
    Date.UTC(2027, 0, 1) + 1,
  ]
  const full = { ...entry, isReadOnly: true, created, expires, grace }
  t.equal(formatEntry(entry), `shop sha256:${digest}`)
  t.equal(
    formatEntry(full),
    `shop sha256:${digest} read-only created=2026-11-22T00:00:00Z expires=2027-02-20T12:30:15Z grace=2027-01-01T00:00:00.001Z`,
  )
  for (const each of [entry, full]) t.strictSame(entryIn(formatEntry(each)), each)
})

t.test('attributes come in any order', async (t) => {
  const line = `shop sha256:${digest}  expires=2028-02-29\t read-only `
  t.strictSame(entryIn(line), { ...entry, isReadOnly: true, expires: Date.UTC(2028, 1, 29) })
})

t.test('invalid times and unknown attributes are errors that do not quote the line', async (t) => {
  for (const word of [
    'expires=2027-02-29',
    'expires=2027-13-01',
    'expires=2027-01-01T25:00:00Z',
    'expires=2027-01-01T00:00:00',
    'expires=',
    'grace=7d',
    'until=2027-01-01',
    'Read-only',
    'secret',
  ]) {
    const problem = parseLine(`shop sha256:${digest} ${word}`)
    t.match(problem, /^after the digest, only read-only, created=/, word)
    t.notMatch(problem, /secret|until/)
  }
})

t.test('times are written to the second, or to the millisecond', async (t) => {
  t.equal(formatTime(Date.UTC(2027, 0, 1)), '2027-01-01T00:00:00Z')
  t.equal(formatTime(Date.UTC(2027, 0, 1) + 20), '2027-01-01T00:00:00.020Z')
})
