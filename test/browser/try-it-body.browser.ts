// Try it with bodies, in a planted document: this service's own operations have none.
import { modelOf, type Operation } from 'exact-openapi/model'
import { stringify } from 'lossless-json'
import t from 'tap'
import { documentOf } from 'test-kit/document'
import { documentApp } from 'test-kit/document-app'
import { problemsOf } from '../../packages/openapi-pages/browser/check-value.js'
import { parseExactly } from '../../packages/openapi-pages/browser/json.js'
import { operationData } from '../../packages/openapi-pages/src/operation-data.ts'
import { check, looks } from './check.ts'
import { settles, show, statusOf, tryIt } from './fixture.ts'
import { servePlanted } from './planted.ts'

t.test('a body is edited as JSON and sent as it was typed', async (t) => {
  const { origin, bodies } = await servePlanted(t)
  const page = await show(t, `${origin}/docs`)
  const form = await tryIt(page, 'createOrder')
  const field = form.getByLabel('Body')
  t.equal(await field.inputValue(), '', 'a request that changes something starts empty')
  t.match(await field.getAttribute('placeholder'), '"petId": 9007199254740993')
  await form.getByRole('button', { name: 'Use the example' }).click()
  t.match(await field.inputValue(), '"petId": 9007199254740993')
  const typed =
    '{ "petId": 9223372036854775807, "items": [{"sku":"it\'s"}],\n  "payment": {"kind":"card","last4":"1234"} }'
  await field.fill(typed)
  await field.press('Enter')
  await field.press('Backspace')
  await form.getByRole('button', { name: 'Send POST' }).click()
  await settles(t, () => statusOf(form), '200')
  t.strictSame(bodies, [{ type: 'application/json', text: typed }])
  const command = await form.getByLabel('Request').textContent()
  t.match(command, `-H 'Content-Type: application/json' \\\n  --data-raw '{ "petId": 9223372036854775807`)
  t.match(command, `"it'\\''s"`)
})

t.test('a body that its schema does not allow is not sent, and the field says why', async (t) => {
  const { origin, bodies } = await servePlanted(t)
  const page = await show(t, `${origin}/docs`)
  const form = await tryIt(page, 'createOrder')
  const field = form.getByLabel('Body')
  const said = () => form.locator('#try-it-body-error li').allInnerTexts()
  const send = form.getByRole('button', { name: 'Send POST' })
  for (const [text, problems] of [
    ['', ['Enter a body.']],
    ['{"petId":"1"}', ['items is required', 'payment is required', 'petId must be an integer']],
    [
      '{"petId":9223372036854775808,"items":[{"sku":"a","quantity":0}],"payment":{"kind":"card","last4":"12"},"x":1}',
      [
        'petId must be an integer of 64 bits',
        'items[0].quantity must be at least 1',
        'payment.last4 must match ^\\d{4}$',
        'x is not allowed',
      ],
    ],
  ] as const) {
    await field.fill(text)
    await send.click()
    await settles(t, said, problems as never)
    t.equal(await field.getAttribute('aria-invalid'), 'true')
    t.ok(await field.evaluate((element) => element === document.activeElement))
  }
  await field.fill('{"petId":1,}')
  await send.click()
  await settles(t, async () => (await said())[0]?.startsWith('This is not JSON: '), true)
  t.strictSame(bodies, [])
})

t.test('a form is edited by its fields or as JSON, and sent encoded; text is sent as it is', async (t) => {
  const { origin, bodies } = await servePlanted(t)
  const page = await show(t, `${origin}/docs`)
  const form = await tryIt(page, 'sendForm')
  await form.getByLabel('id', { exact: true }).fill('9007199254740993')
  await form.getByRole('button', { name: 'Edit as JSON' }).click()
  t.equal(await form.getByLabel('Body').inputValue(), '{\n  "id": 9007199254740993\n}')
  await form.getByLabel('Body').fill('{"id":9007199254740993,"tags":["a b","c"]}')
  await form.getByRole('button', { name: 'Edit as a form' }).click()
  await form.getByLabel('tags, one item a line').fill('a b\nc&d')
  await form.getByRole('button', { name: 'Send POST' }).click()
  await settles(t, () => statusOf(form), '200')
  const note = await tryIt(page, 'putNote')
  await note.getByLabel('name').fill('x')
  await note.getByLabel('Body').fill('{not JSON')
  await note.getByRole('button', { name: 'Send PUT' }).click()
  await settles(t, () => statusOf(note), '200')
  t.strictSame(bodies, [
    { type: 'application/x-www-form-urlencoded', text: 'id=9007199254740993&tags=a+b&tags=c%26d' },
    { type: 'text/plain', text: '{not JSON' },
  ])
})

t.test('the form opens within the frame of the sample, which stays where it is', async (t) => {
  const { origin } = await servePlanted(t)
  const page = await show(t, `${origin}/docs`)
  const top = () =>
    page.locator('#putNote .samples').evaluate((samples) => scrollY + samples.getBoundingClientRect().top)
  await page.locator('#putNote').evaluate((operation) => operation.scrollIntoView())
  const before = await top()
  await tryIt(page, 'putNote')
  t.equal(await page.locator('#putNote .request .samples ~ .try-it-panel form').count(), 1)
  t.ok(Math.abs((await top()) - before) < 1)
})

t.test(
  'what is within a field opens below it, also by its address; without scripts, everything can be read',
  async (t) => {
    const { origin } = await servePlanted(t)
    const page = await show(t, `${origin}/docs#createOrder-body-items[].quantity`)
    await page.getByText('How many units.').waitFor()
    t.ok(await page.getByText('How many units.').isVisible())
    const plain = await show(t, `${origin}/docs`, { javaScriptEnabled: false })
    const digits = plain.locator('#createOrder').getByText('The last digits.')
    t.ok(await digits.isVisible(), 'the first of the alternatives is shown')
    t.notOk(await plain.locator('#createOrder').getByText('1 to 90').isVisible())
    await plain.locator('#createOrder .alternatives > label', { hasText: 'Invoice' }).click()
    t.ok(await plain.locator('#createOrder').getByText('1 to 90').isVisible())
  },
)

for (const [look, options] of Object.entries(looks)) {
  t.test(`${look}: axe reports no violation of bodies, opened and tried`, async (t) => {
    const { origin } = await servePlanted(t)
    const page = await show(t, `${origin}/docs`, options)
    for (const details of await page.locator('main details').all())
      await details.evaluate((element) => element.setAttribute('open', ''))
    const form = await tryIt(page, 'createOrder')
    await form.getByRole('button', { name: 'Use the example' }).click()
    await form.getByRole('button', { name: 'Send POST' }).click()
    await settles(t, () => statusOf(form), '200')
    await form.getByRole('textbox', { name: 'Body' }).fill('{}')
    await form.getByRole('button', { name: 'Send POST' }).click()
    await form.getByText('items is required').waitFor()
    await check(t, page, `${look}-body`, true)
  })
}

/** Schemas, and bodies of which each must be judged as the server does: those that it accepts, then others. */
const judged: [schema: object, accepted: string[], rejected: string[]][] = [
  [{ type: 'integer', format: 'int64' }, ['1', '-9223372036854775808'], ['9223372036854775808', '1.5', '"1"', 'null']],
  [{ type: 'integer', format: 'int32' }, ['1.0', '1e3', '-2147483648'], ['2147483648', 'true']],
  [{ type: 'integer', format: 'int64', minimum: 9007199254740993n }, ['9007199254740993'], ['9007199254740992']],
  [{ type: 'integer', enum: [1, 2] }, ['1', '2.0'], ['3']],
  [{ type: 'integer', multipleOf: 7 }, ['14'], ['15']],
  [
    { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1.5, exclusiveMaximum: true },
    ['1', '0.1'],
    ['0', '1.5'],
  ],
  [{ type: 'number', minimum: 1, maximum: 2 }, ['1', '2'], ['0.9', '3']],
  [
    { type: 'string', minLength: 1, maxLength: 2, pattern: '^[^x]*$' },
    ['"\u{1F600}\u{1F600}"'],
    ['""', '"abc"', '"x"'],
  ],
  [{ type: 'string', pattern: '^\\_\\-$' }, ['"_-"'], ['"a"']],
  [{ type: 'integer', format: 'uint8' }, ['0', '255'], ['-1', '256']],
  [{ type: 'integer', format: 'int8' }, ['-128', '127'], ['-129', '128']],
  [{ type: 'string', enum: ['a', null], nullable: true }, ['"a"', 'null'], ['"b"']],
  [{ type: 'boolean' }, ['true'], ['0']],
  [
    { type: 'array', items: { type: 'integer', format: 'int64' }, minItems: 1, maxItems: 2, uniqueItems: true },
    ['[9007199254740992,9007199254740993]'],
    ['[]', '[1,2,3]', '[1,1]', '["1"]', '{}'],
  ],
  [
    {
      type: 'object',
      required: ['a', 'b', 'c', 'constructor'],
      minProperties: 2,
      properties: { a: {}, b: { type: 'string', default: 'b' }, c: { type: 'string', readOnly: true } },
      additionalProperties: { type: 'integer' },
    },
    ['{"a":null,"b":"","constructor":1}', '{"a":{},"b":"","c":1,"constructor":2}'],
    ['{"a":1,"b":""}', '{"a":1,"constructor":2}', '{"a":1,"b":"","constructor":"x"}', '[]'],
  ],
  [
    { type: 'object', properties: { a: {} }, additionalProperties: false, maxProperties: 1 },
    ['{}', '{"a":[1.50,"{}"]}'],
    ['{"b":1}'],
  ],
  [
    {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { $ref: '#/components/schemas/B~1' },
      ],
    },
    ['{"a":"","b":1}'],
    ['{"a":""}', '{"b":1}', '{"a":1,"b":1}'],
  ],
  [{ oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'number' }] }, ['"a"', '1.5'], ['1', 'true']],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, ['"a"', '["a"]'], ['1', '[1]']],
  [
    {
      oneOf: [
        { $ref: '#/components/schemas/B~1' },
        { type: 'object', properties: { kind: { type: 'string', enum: ['own'] }, x: { type: 'string' } } },
      ],
      discriminator: { propertyName: 'kind' },
    },
    ['{"kind":"B/","b":1}', '{"kind":"own","x":""}'],
    ['{"kind":"B/"}', '{"kind":"own","x":1}', '{"kind":"other"}', '{}'],
  ],
  [{ $ref: '#/components/schemas/Tree' }, ['{"next":{"next":{}}}'], ['{"next":{"next":1}}']],
  [{ not: { type: 'string' } }, ['1'], []],
]

t.test('the page judges a body as the server does', async (t) => {
  const schemas = {
    'B/': { type: 'object', required: ['b'], properties: { b: { type: 'integer' }, kind: { type: 'string' } } },
    Tree: { type: 'object', properties: { next: { $ref: '#/components/schemas/Tree' } } },
  }
  for (const [schema, accepted, rejected] of judged) {
    const content = { 'application/json': { schema } }
    const post = {
      operationId: 'send',
      security: [],
      requestBody: { $ref: '#/components/requestBodies/Sent' },
      responses: { 204: { description: 'Done.' } },
    }
    const written = documentOf({ '/a': { post } }, { schemas, requestBodies: { Sent: { content } } })
    const { app } = await documentApp(written)
    const model = modelOf(written)
    const { body: described, schemas: known } = parseExactly(operationData(model, model.operations[0] as Operation))
    for (const text of [...accepted, ...rejected]) {
      const call = {
        method: 'POST',
        url: '/v1/a',
        headers: { 'content-type': 'application/json' },
        body: text,
      } as const
      const { statusCode, body } = await app.inject(call)
      const problems = problemsOf(described.media[0].schema, parseExactly(text), known)
      const name = `${text} as ${stringify(schema)}: ${problems.join(', ')}`
      t.equal(statusCode, accepted.includes(text) ? 204 : 400, `the server: ${body} ${name}`)
      t.equal(problems.length === 0, accepted.includes(text), name)
    }
    await app.close()
  }
})
