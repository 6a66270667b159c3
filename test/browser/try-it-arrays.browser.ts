// Try it with arrays in parameters, and with two parameters of one name.
import t from 'tap'
import { send, settles, statusOf } from './fixture.ts'
import { tryPlanted } from './planted.ts'

t.test(
  'an array has one item a line, sent as its style says; two parameters of one name have a field each',
  async (t) => {
    const { page, form } = await tryPlanted(t, 'search')
    await form.getByLabel('id in the path', { exact: true }).fill('5')
    await form.getByLabel('id in the query', { exact: true }).fill('six')
    t.equal(await form.getByLabel('ids, one item a line', { exact: true }).inputValue(), '7\n8')
    await form.getByLabel('ids, one item a line', { exact: true }).fill('9007199254740993\n\n-1\n')
    await form.getByLabel('joined').fill('a,b\nc d')
    for (const option of ['a', 'b|c']) await form.getByLabel('kinds').getByRole('option', { name: option }).click()
    await form.getByLabel('X-Ids').fill('1\n2')
    const request = page.waitForRequest(/\/v1\/search/)
    await send(t, form)
    const { pathname, search } = new URL((await request).url())
    t.equal(pathname, '/v1/search/5')
    t.equal(search, '?id=six&ids=9007199254740993&ids=-1&joined=a%2Cb,c%20d&kinds=a&kinds=b%7Cc')
    t.equal((await request).headers()['x-ids'], '1,2')
    await settles(t, () => statusOf(form), '200')
  },
)

t.test('an array that the server rejects has its error beside its field; an empty one is not sent', async (t) => {
  const { form } = await tryPlanted(t, 'search')
  const field = form.getByLabel('ids, one item a line', { exact: true })
  await field.fill('')
  await send(t, form)
  await form.getByText('Enter an item.', { exact: true }).waitFor()
  t.ok(await field.evaluate((element) => element === document.activeElement))
  t.equal(await statusOf(form), '')
  await field.fill('1\n1')
  await send(t, form, '400')
  await form
    .locator('[id="try-it-query-ids-error"]')
    .getByText(/^must NOT /)
    .waitFor()
  t.equal(await field.getAttribute('aria-invalid'), 'true')
  await field.fill('1')
  await send(t, form, '200')
  t.equal(await field.getAttribute('aria-invalid'), 'false')
})
