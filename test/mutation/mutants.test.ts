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

t.test('types, imports, texts for people and ignored lines are left alone', async (t) => {
  const sources = [
    "import { a } from 'a'",
    "export { a } from 'a'",
    "type A = 1 | 'a'",
    "interface A { a: 'b' }",
    "const a = 'a message'",
    '/* c8 ignore next -- why */\nrun()',
    '/* c8 ignore next 2 */\nrun()\nrun()',
    '/* c8 ignore start */\nrun()\n/* c8 ignore stop */',
  ]
  for (const source of sources) t.strictSame(planted(source), [], source)
  t.equal(planted('/* c8 ignore next */\nrun()\nrun()').length, 1)
})
