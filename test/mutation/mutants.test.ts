import t from 'tap'
import { mutantsOf } from './mutants.ts'

/** The lines of code with each fault planted. */
const planted = (source: string) =>
  mutantsOf(source).map(({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end))

t.test('conditions, constants, statements, awaits and arguments are changed, one at a time', async (t) => {
  const cases: [source: string, planted: string[]][] = [
    ['const a = b && c', ['const a = b || c']],
    ['const a = b < 1', ['const a = b <= 1', 'const a = b < 2']],
    ['const a = b ?? c', ['const a = b']],
    ['const a = b ? c : d', ['const a = !(b) ? c : d']],
    ['if (a) b()', ['if (!(a)) b()', 'if (a) {}']],
    ['throw a', ['{}']],
    ["const a = [true, 2n, 'code', 'a message']", ["const a = [false, 2n, 'code', 'a message']"]],
    ['const a = await b', ['const a = (b)']],
    ['const a = b(c, d)', ['const a = b(c)']],
  ]
  for (const [source, expected] of cases) t.strictSame(planted(source).slice(0, expected.length), expected, source)
})

// A fault planted where there is no code survives, and so is noticed.
t.test('`c8 ignore next` leaves one line alone', async (t) => {
  t.equal(planted('/* c8 ignore next */\nrun()\nrun()').length, 1)
})
