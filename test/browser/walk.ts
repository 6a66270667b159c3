// What must work in each browser: reading, the search, Try it, and the life of a domain on its page.
import type { Test } from 'tap'
import { dashboardKey, fake } from './fake-dashboard.ts'
import { key, serve, settles } from './fixture.ts'

/** Opens a page. @returns a function that evaluates an expression there, whose value is a string */
export type Open = (t: Test, url: string) => Promise<(expression: string) => Promise<string>>

/** In which they open it. */
export const phone = { width: 375, height: 812 }
const STAGING_BASE_URL = 'https://staging-of-the-orders-of-all-stores.example.com/of/the/north/v1'

export function walk(t: Test, open: Open) {
  t.test('a reader finds and tries an operation, and nothing scrolls sideways', async (t) => {
    const { click, enter, value, text } = await show(t, `${await serve(t, { STAGING_BASE_URL })}/docs`)
    const fits = value(`(() => {
      const server = document.querySelector('#server')
      server.selectedIndex = 1
      const isWide = document.documentElement.scrollWidth > innerWidth
      server.selectedIndex = 0
      return String(!isWide) })()`)
    t.equal(await fits(), 'true', 'the longest server is chosen')
    t.equal(await text('h1')(), 'Store Orders 1.0.0')
    await click('.search-button')
    await enter('dialog input', 'cancelling an order')
    await settles(t, text('dialog [role=option] .search-title'), 'Cancel an order')
    await click('dialog [role=option]')
    t.equal(await value('location.hash')(), '#cancelOrder')
    await enter('#key-apiKey', key)
    await settles(t, text('.access output'), 'Key accepted')
    await click('#cancelOrder .try-it')
    await settles(t, value(`String(Boolean(document.querySelector('#try-it-path-orderId')))`), 'true')
    for (const status of ['204 No Content', '404 Not Found']) {
      await enter('#try-it-path-orderId', '1013')
      await click('.try-it-panel [type=submit]')
      await settles(t, text('.status-line strong'), status)
    }
  })

  t.test('a user adds a domain and removes it', async (t) => {
    const served = await fake(t)
    const { click, enter, value, text } = await show(t, `${served.origin}/dashboard`)
    const count = value(`String(document.querySelectorAll('article').length)`)
    await enter('#key', dashboardKey)
    await click('#sign-in [type=submit]')
    await settles(t, text('#domains-heading'), 'Domains')
    await click('#add-domain')
    await enter('#domain', 'docs.example.com')
    await click('#add-dialog [type=submit]')
    await settles(t, count, '1')
    await click('article [popovertarget]')
    t.equal(await value(`String(document.querySelector('article [popover]').matches(':popover-open'))`)(), 'true')
    await click('article [data-action=remove]')
    await settles(t, text('#remove-heading'), 'Remove docs.example.com?')
    await click('#remove-dialog [type=submit]')
    await settles(t, count, '0')
    const changes = ['POST /domains {"domain":"docs.example.com"}', 'DELETE /domains/docs.example.com null']
    t.strictSame(served.changes, changes)
  })

  async function show(t: Test, url: string) {
    const evaluate = await open(t, url)
    return {
      click: (selector: string) => evaluate(`document.querySelector('${selector}').click()`),
      /** Frameworks listen to the native setter. */
      enter: (selector: string, value: string) =>
        evaluate(`(() => { const input = document.querySelector('${selector}')
          input.focus()
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${value}')
          input.dispatchEvent(new Event('input', { bubbles: true }))
          input.dispatchEvent(new Event('change', { bubbles: true })) })()`),
      value: (expression: string) => () => evaluate(expression),
      text: (selector: string) => () => evaluate(`document.querySelector('${selector}')?.textContent ?? ''`),
    }
  }
}
