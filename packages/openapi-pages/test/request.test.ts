// From values to a request, as samples and the form write it.
import t from 'tap'
import { segments } from 'test-kit/segments'
import { parseExactly, stringifyExactly } from '../browser/json.js'
import { languages } from '../browser/languages.js'
import { type Callable, callOf, type Input, targetOf } from '../browser/request.js'

const list = ['a/b', 'c']
const object = { x: 1n, y: 'é' }

t.test('a parameter is written in its style (OpenAPI 3.0.4, "Style Values")', async (t) => {
  for (const [place, style, explode, value, target, type] of [
    ['path', 'simple', false, list, '/a/a%2Fb,c'],
    ['path', 'simple', false, object, '/a/x,1,y,%C3%A9'],
    ['path', 'simple', true, object, '/a/x=1,y=%C3%A9'],
    ['path', 'label', false, list, '/a/.a%2Fb,c'],
    ['path', 'label', true, list, '/a/.a%2Fb.c'],
    ['path', 'matrix', false, list, '/a/;q=a%2Fb,c'],
    ['path', 'matrix', true, list, '/a/;q=a%2Fb;q=c'],
    ['path', 'matrix', true, object, '/a/;x=1;y=%C3%A9'],
    ['query', 'form', true, list, '/a/1?q=a%2Fb&q=c'],
    ['query', 'form', false, list, '/a/1?q=a%2Fb,c'],
    ['query', 'form', true, object, '/a/1?x=1&y=%C3%A9'],
    ['query', 'spaceDelimited', false, list, '/a/1?q=a%2Fb%20c'],
    ['query', 'pipeDelimited', false, list, '/a/1?q=a%2Fb%7Cc'],
    ['query', 'deepObject', true, { x: list }, '/a/1?q%5Bx%5D=a%2Fb&q%5Bx%5D=c'],
    ['query', 'form', true, { id: 9007199254740993n }, '/a/1?q=%7B%22id%22%3A9007199254740993%7D', 'application/json'],
    ['query', 'form', true, 'x y', '/a/1?q=x%20y', 'text/plain'],
    ['query', 'form', true, null, '/a/1?q=null'],
  ] as const) {
    const parameters = [{ name: 'q', in: place, style, explode, type }]
    const input = place === 'path' ? { path: { q: value }, query: {} } : { path: { q: '1' }, query: { q: value } }
    t.equal(targetOf({ path: '/a/{q}', parameters }, input), target)
  }
})

t.test('a fragment that tells operations apart is not sent, and the query comes before it', async (t) => {
  t.equal(targetOf({ path: '/a#b', parameters: [] }, { path: {}, query: { q: 1 } }), '/a?q=1')
})

t.test('a value that would lead to another path is rejected', async (t) => {
  const at = (path: string, q: unknown) => () => targetOf({ path, parameters: [] }, { path: { q }, query: {} })
  for (const [template, value, path] of segments) {
    if (path !== undefined) t.equal(at(template, value)(), path)
    else t.throws(at(template, value), { name: 'Error', parameter: 'q', message: /^q must not be "\.{0,2}"/ })
  }
  t.throws(at('/a/{q}', undefined), { name: 'Error', parameter: 'q' })
})

const callable: Callable = {
  id: 'send',
  method: 'POST',
  path: '/a',
  parameters: [{ name: 'X-Ids', in: 'header', style: 'simple', explode: false }],
  alternatives: [],
  accept: [],
  client: undefined,
  hasResult: false,
}
const curl = (input: Partial<Input>) =>
  languages[0]?.write(callOf(callable, { path: {}, query: {}, headers: {}, cookies: {}, ...input }, 'http://h'))

t.test('headers and cookies are written, and a form with files is one in parts', async (t) => {
  t.match(
    curl({ headers: { 'X-Ids': [1n, 2n], other: 'x' }, cookies: { a: ['b', 'c'] } }),
    `-H 'X-Ids: 1,2' \\\n  -H 'other: x' \\\n  -H 'Cookie: a=b,c'`,
  )
  const photo = new File(['PNG'], 'a"b.png', { type: 'image/jpeg' })
  const body = { name: "it's", tags: ['a', 'b'], photo, avatar: 'any', within: { id: 9007199254740993n } }
  const parts = curl({ body, type: 'multipart/form-data', encoding: { avatar: { isFile: true, type: 'image/png' } } })
  t.match(parts, `--form-string 'name=it'\\''s' \\\n  --form-string 'tags=a' \\\n  --form-string 'tags=b'`)
  t.match(parts, `-F 'photo=@"a\\"b.png";type=image/jpeg' \\\n`)
  t.match(parts, `-F 'avatar=@avatar;type=image/png'`)
  t.match(parts, `-F 'within="{\\"id\\":9007199254740993}";type=application/json'`)
  t.notMatch(parts, 'Content-Type')
  const sent = callOf(
    callable,
    { path: {}, query: {}, headers: {}, cookies: {}, body, type: 'multipart/form-data' },
    '',
  )
  const chunks = (sent.body?.chunks ?? []).map((chunk) => (typeof chunk === 'string' ? chunk : (chunk.bytes ?? '')))
  const form = await new Response(new Blob(chunks), { headers: { 'content-type': String(sent.body?.type) } }).formData()
  t.strictSame([...form.keys()], ['name', 'tags', 'tags', 'photo', 'avatar', 'within'])
  const file = form.get('photo') as File
  t.strictSame([file.name, file.type, await file.text()], ['a"b.png', 'image/jpeg', 'PNG'])
  const bytes = new File(['x'], 'a b.bin')
  t.match(
    curl({ body: bytes, type: 'application/pdf' }),
    `-H 'Content-Type: application/pdf' \\\n  --data-binary '@a b.bin'`,
  )
})

t.test('JSON is read and written with every digit', async (t) => {
  const text = '{\n  "id": 9007199254740993,\n  "a": [],\n  "b": {},\n  "c": [\n    1.5,\n    "{\\"x\\":1}"\n  ]\n}'
  t.equal(stringifyExactly(parseExactly(text), 2), text)
})
