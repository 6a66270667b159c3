// Try it with arrays in parameters, and with two parameters of one name.
import t from 'tap'
import { check, looks } from './check.ts'
import { settles, show, statusOf, tryIt } from './fixture.ts'
import { servePlanted } from './planted.ts'

t.test('an array has one item a line, and is sent as its style says', async (t) => {
  const { origin } = await servePlanted(t)
  const page = await show(t, `${origin}/docs`)
  const form = await tryIt(page, 'search')
  t.equal(await form.getByLabel('ids, one item a line', { exact: true }).inputValue(), '7\n8')
  await form.getByLabel('ids, one item a line', { exact: true }).fill('9007199254740993\n\n-1\n')
  await form.getByLabel('joined').fill('a,b\nc d')
  await form.getByLabel('kinds').fill('a\nb|c')
  await form.getByLabel('X-Ids').fill('1\n2')
  const request = page.waitForRequest(/\/v1\/search/)
  await form.getByRole('button', { name: 'Send GET' }).click()
  const { search } = new URL((await request).url())
  t.equal(search, '?ids=9007199254740993&ids=-1&joined=a%2Cb,c%20d&kinds=a&kinds=b%7Cc')
  t.equal((await request).headers()['x-ids'], '1,2')
  await settles(t, () => statusOf(form), '200')
})

t.test('an array that its schema does not allow is not sent, and its field says why', async (t) => {
  const { origin } = await servePlanted(t)
  const page = await show(t, `${origin}/docs`)
  const form = await tryIt(page, 'search')
  const field = form.getByLabel('ids, one item a line', { exact: true })
  for (const [typed, problem] of [
    ['', 'Enter an item.'],
    ['1\nx', 'ids[1] must be an integer'],
    ['1\n1', 'ids must have each item once'],
    ['1\n2\n3\n4', 'ids must have at most 3 items'],
  ] as const) {
    await field.fill(typed)
    await form.getByRole('button', { name: 'Send GET' }).click()
    await form.getByText(problem, { exact: true }).waitFor()
    t.equal(await field.getAttribute('aria-invalid'), 'true')
    t.ok(await field.evaluate((element) => element === document.activeElement))
  }
  await field.fill('1')
  await form.getByLabel('kinds').fill('c')
  await form.getByRole('button', { name: 'Send GET' }).click()
  await form.getByText('kinds[0] must be a or b|c', { exact: true }).waitFor()
  t.equal(await statusOf(form), '')
})

t.test('two parameters of one name have a field each', async (t) => {
  const { origin } = await servePlanted(t)
  const page = await show(t, `${origin}/docs`)
  const form = await tryIt(page, 'search')
  await form.getByLabel('id in the path', { exact: true }).fill('5')
  await form.getByLabel('id in the query', { exact: true }).fill('six')
  const request = page.waitForRequest(/\/v1\/search/)
  await form.getByRole('button', { name: 'Send GET' }).click()
  t.match((await request).url(), '/v1/search/5?id=six&ids=7&ids=8')
})

t.test('the fields of arrays look as they should', async (t) => {
  const { origin } = await servePlanted(t)
  for (const [name, options] of Object.entries(looks)) {
    const page = await show(t, `${origin}/docs`, { ...options, bypassCSP: true })
    const form = await tryIt(page, 'search')
    await form.getByLabel('kinds').fill('c')
    await form.getByRole('button', { name: 'Send GET' }).click()
    await form.getByText('kinds[0] must be a or b|c', { exact: true }).waitFor()
    await check(t, page, `try-it-arrays-${name}`)
  }
})
