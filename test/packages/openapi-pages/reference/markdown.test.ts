import t from 'tap'
import { block, llmsText, referenceMarkdown } from '../../../../packages/openapi-pages/src/reference/markdown.ts'
import { readReference } from '../../../../packages/openapi-pages/src/reference/read.ts'
import { loadDocument } from '../../../../spec/document.ts'
import { changed } from '../../../fixtures/app.ts'

const document = loadDocument()
const reference = readReference(document)
const text = referenceMarkdown(reference)
const operations = reference.groups.flatMap(({ operations }) => operations)

t.test('types, badges and notices are written as text', async (t) => {
  const pet = '\n`GET /pets/{petId}`, experimental, deprecated, sunset December 31, 2027\n\n> '
  t.match(text, `${pet}Deprecated since January 1, 2026; may be removed from December 31, 2027 on.\n`)
  t.notMatch(operations.find(({ id }) => id === 'listOrders')?.notice, /./)
  const undated = changed(({ paths }) => {
    const { get } = paths['/pets/{petId}'] ?? {}
    delete get?.['x-sunset']
    delete get?.['x-deprecated-since']
  })
  t.match(referenceMarkdown(readReference(undated)), '`GET /pets/{petId}`, experimental, deprecated\n\n> Deprecated.\n')
  t.match(text, '\nBody: array of Order, `application/json`\n')
  const shared = reference.responses.map(({ status }) => status).join(', ')
  t.match(text, `\nErrors that every operation can return: ${shared}.\n`)
  t.match(text, '| `quantity` | integer, −2,147,483,648 to 2,147,483,647 |')
  t.match(text, '| `X-Request-Id` (required) | string, pattern `^[A-Za-z0-9._-]{1,64}$` |')
  t.match(text, '| `Vary` (required) | string | The request headers that the response depends on. Example: `Accept, ')
  t.match(text, '\nBase URL: `http://server.invalid` (This server)\n\nLicense: [MIT](https://opensource.org/license/')
})

t.test('a table cell is on one line, with its bars escaped', async (t) => {
  const document = changed((changing) => {
    changing.paths = {}
    const b = { type: 'string', description: 'c | d\n\n- e' } as const
    changing.components = { schemas: { A: { type: 'object', properties: { b } } } }
  })
  t.match(referenceMarkdown(readReference(document)), '\n| `b` | string | c \\| d - e |\n')
})

t.test('a fence is longer than those in the code', async (t) => {
  t.equal(block('md', 'a\n````sh\nb\n````\n'), '`````md\na\n````sh\nb\n````\n`````')
})

t.test('a minimal document has a text, too', async (t) => {
  const bare = changed((changing) => {
    changing.info = { title: 'A', version: '2', license: { name: 'B' } }
    changing.servers = [{ url: '/v2' }]
    changing.paths = { '/x': { get: { operationId: 'x', responses: { default: { description: 'C.' } } } } }
    changing.tags = []
    changing.components = { schemas: { D: { type: 'string' } } }
  })
  const reference = readReference(bare)
  const expected = [
    '# A 2',
    'Base URL: `http://server.invalid`',
    'License: B',
    '## Operations',
    '### x',
    '`GET /x`',
    'Authorization: `apiKey`',
    '#### Responses',
    '##### default',
    'C.',
    '## Schemas',
    '### D',
    'Type: string',
  ]
  t.equal(referenceMarkdown(reference), `${expected.join('\n\n')}\n`)
  t.equal(referenceMarkdown({ ...reference, about: [], schemas: [] }).includes('License'), false)
  t.notMatch(llmsText(reference, '', false), 'Changelog')
  t.match(llmsText(reference, '', true), '# A\n\n## Documentation\n\n- [Reference](/docs.md): ')
})

t.test('the index links to every section and operation', async (t) => {
  const index = llmsText(reference, 'https://docs.example.com', true)
  t.ok(index.startsWith(`# Store Orders\n\n> ${reference.summary}\n\n## Documentation\n`))
  t.match(index, '\n- [OpenAPI document](https://docs.example.com/openapi.json): ')
  for (const { id, title } of reference.guide)
    t.match(index, `\n- [${title}](https://docs.example.com/docs.md#${id})\n`)
  for (const { id, summary } of operations) t.match(index, `](https://docs.example.com/docs.md#${id}): ${summary}\n`)
})
