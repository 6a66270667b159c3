import t from 'tap'
import { lineOf, problemsIn } from '#browser/try-it-errors.js'

t.test('the fields that an error names are found, in the shapes that servers use', (t) => {
  const at = (place: string, path: string[], text: string) => [{ in: place, path, text }]
  const shapes: [body: unknown, problems: object[]][] = [
    [
      { code: 'invalid_request', message: 'path orderId must be an integer.', status: 400 },
      at('path', ['orderId'], 'must be an integer.'),
    ],
    [
      { message: 'body items/0/quantity must be >= 1, body x must not be there' },
      [...at('body', ['items', '0', 'quantity'], 'must be >= 1'), ...at('body', ['x'], 'must not be there')],
    ],
    [{ statusCode: 400, message: 'querystring/limit must be integer' }, at('query', ['limit'], 'must be integer')],
    [{ message: 'params/id must be integer' }, at('path', ['id'], 'must be integer')],
    [{ message: 'headers/x-a must be set' }, at('header', ['x-a'], 'must be set')],
    [{ message: 'cookies/a must be set' }, at('cookie', ['a'], 'must be set')],
    [{ title: 'Bad', errors: [{ pointer: '#/a~1b/c', detail: 'is short' }] }, at('', ['a/b', 'c'], 'is short')],
    [{ 'invalid-params': [{ name: 'age', reason: 'is negative' }] }, at('', ['age'], 'is negative')],
    [
      { detail: [{ loc: ['query', 'q'], msg: 'Field required', type: 'missing' }] },
      at('query', ['q'], 'Field required'),
    ],
    [{ detail: [{ loc: ['body', 'items', 0], msg: 'Bad' }] }, at('body', ['items', '0'], 'Bad')],
    [{ errors: [{ source: { pointer: '/data/name' }, detail: 'is taken' }] }, at('', ['data', 'name'], 'is taken')],
    [{ errors: [{ source: { parameter: 'sort' }, title: 'Unknown' }] }, at('', ['sort'], 'Unknown')],
    [{ errors: { name: ['is empty', 'is bad'] } }, [...at('', ['name'], 'is empty'), ...at('', ['name'], 'is bad')]],
    [{ errors: { name: 'is empty' } }, at('', ['name'], 'is empty')],
    [{ errors: { first: { field: 'name', message: 'is empty' } } }, at('', ['name'], 'is empty')],
    [
      { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'title', message: 'is missing' }] },
      at('', ['title'], 'is missing'),
    ],
    [
      { details: [{ field: '/purchase_units/0', issue: 'MISSING', description: 'Required.' }] },
      at('', ['purchase_units', '0'], 'Required.'),
    ],
    [
      { error: { details: [{ fieldViolations: [{ field: 'a.b[1]', description: 'Bad' }] }] } },
      at('', ['a', 'b', '1'], 'Bad'),
    ],
    [{ message: 'Not allowed', status: 403 }, []],
    [{ source: {}, detail: 'x' }, []],
    ['text', []],
    [null, []],
  ]
  for (const [body, problems] of shapes) t.strictSame(problemsIn(JSON.stringify(body)), problems, JSON.stringify(body))
  t.strictSame(problemsIn('<html>'), [])
  t.end()
})

t.test('a problem is a line with its place', (t) => {
  t.equal(lineOf({ in: 'body', path: ['items', '0', 'id'], text: 'must be 1' }), 'items[0].id must be 1')
  t.equal(lineOf({ in: '', path: ['a', 'b'], text: 'Required.' }), 'a.b: Required.')
  t.end()
})
