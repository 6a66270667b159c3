// Formatting and coloring preserve the text.
import t from 'tap'
import { fc } from 'test-kit/properties'
import { linesOf, piecesOf, tokensOf } from '../browser/highlight.js'
import { formatJson } from '../browser/json.js'

t.test('JSON is indented as by JSON.stringify, whatever its spaces', async () => {
  const spaces = fc.constantFrom(undefined, 1, 3, '\t')
  fc.assert(
    fc.property(fc.json({ depthSize: 'medium' }), spaces, (text, space) => {
      const value = JSON.parse(text)
      return formatJson(JSON.stringify(value, null, space)) === JSON.stringify(value, null, 2)
    }),
  )
})

t.test('digits, repeated names and escapes are kept', async (t) => {
  const shown = '{\n  "id": 9007199254740993,\n  "n": 1.0,\n  "n": -0\n}'
  t.equal(formatJson('{"id":9007199254740993,"n":1.0,"n":-0}'), shown)
  t.equal(formatJson('["\\u0041 , {"]'), '[\n  "\\u0041 , {"\n]')
})

t.test('what is deeper than 50 levels is not indented more', async (t) => {
  const indents = formatJson(`${'['.repeat(60)}1${']'.repeat(60)}`).match(/^ */gm) ?? []
  t.equal(Math.max(...indents.map(({ length }) => length)), 100)
})

t.test('text that is not JSON is kept', async (t) => {
  for (const text of ['', 'plain', '{"a":', '{a: 1}']) t.equal(formatJson(text), text)
})

t.test('the tokens add up to the code', async () => {
  const languages = fc.constantFrom('json', 'shell', 'javascript', 'python', 'go', 'unknown')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), languages, (code, language) => {
      const texts = tokensOf(code, language).map(([, text]) => text)
      return texts.join('') === code
    }),
  )
})

t.test('tokens have kinds', async (t) => {
  const kindsOf = (code: string, language: string) => tokensOf(code, language).filter(([kind]) => kind)
  t.strictSame(kindsOf('{"a": [1, "b", true]}', 'json'), [
    ['key', '"a"'],
    ['number', '1'],
    ['string', '"b"'],
    ['word', 'true'],
  ])
  t.strictSame(kindsOf('curl -H "X: $Y" http://a#b # end', 'shell'), [
    ['word', 'curl'],
    ['key', '-H'],
    ['string', '"X: '],
    ['variable', '$Y'],
    ['string', '"'],
    ['quiet', '# end'],
  ])
  t.strictSame(kindsOf('const id = 1007n // it', 'javascript'), [
    ['word', 'const'],
    ['number', '1007n'],
    ['quiet', '// it'],
  ])
})

t.test('a line knows its depth, also one with a carriage return within it', async (t) => {
  const classes = linesOf('a\n  b\rc\n', 'text').map(({ className }) => className)
  t.strictSame(classes, ['l', 'l i1'])
  const classOf = (line: string) => linesOf(line, 'text')[0]?.className
  t.strictSame(['\ta', `${' '.repeat(16)}a`, `${' '.repeat(18)}a`].map(classOf), ['l i1', 'l i8', 'l i8'])
  t.strictSame(['a'.repeat(30), 'a'.repeat(31), `${'a'.repeat(31)} b`].map(classOf), ['l', 'l u', 'l'])
})

t.test('an address breaks before its slashes and parameters, and other text nowhere', async (t) => {
  const pieces = ['http://', '127.0.0.1:3000', '/v1', '/pets', '?a=1', '&b=', '/c/']
  t.strictSame(piecesOf(pieces.join('')), pieces)
  t.strictSame(piecesOf('application/json?a'), ['application/json?a'])
})
