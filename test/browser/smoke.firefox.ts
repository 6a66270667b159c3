// Reading, the search and Try it in Firefox, driven through WebDriver BiDi.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import WebSocket from 'ws'
import { firefoxPath, key, serve, settles } from './fixture.ts'

t.test('a reader finds and tries an operation in Firefox', async (t) => {
  const origin = await serve(t)
  const evaluate = await open(t, `${origin}/docs`)
  const click = (selector: string) => evaluate(`document.querySelector('${selector}').click()`)
  /** React listens to the native setter. */
  const enter = (selector: string, value: string) =>
    evaluate(`{ const input = document.querySelector('${selector}')
      input.focus()
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${value}')
      input.dispatchEvent(new Event('input', { bubbles: true }))
      input.dispatchEvent(new Event('change', { bubbles: true })) }`)
  const text = (selector: string) => () => evaluate(`document.querySelector('${selector}')?.textContent ?? ''`)

  t.equal(await text('h1')(), 'Store Orders 1.0.0')
  await click('.search-button')
  await enter('dialog input', 'cancelling an order')
  await settles(t, text('dialog [role=option] .search-title'), 'Cancel an order')
  await click('dialog [role=option]')
  t.equal(await evaluate('location.hash'), '#cancelOrder')
  await enter('#api-key', key)
  await settles(t, text('.access output'), 'Key accepted')
  await click('#cancelOrder .try-it')
  await settles(t, () => evaluate(`String(Boolean(document.querySelector('#try-it-orderId')))`), 'true')
  for (const status of ['204 No Content', '404 Not Found']) {
    await enter('#try-it-orderId', '1013')
    await click('.try-it-panel [type=submit]')
    await settles(t, text('.status-line strong'), status)
  }
})

/** Opens a page. @returns a function that evaluates a script there, whose result is a string */
async function open(t: Test, url: string) {
  const args = ['--headless', '--no-remote', '--profile', t.testdir(), '--remote-debugging-port=0']
  const child = spawn(firefoxPath(), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  t.teardown(() => child.kill())
  let address: string | undefined
  for await (const line of createInterface(child.stderr)) {
    address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (address) break
  }
  child.stderr.resume()
  const socket = new WebSocket(`${address}/session`)
  t.teardown(() => socket.terminate())
  await once(socket, 'open')
  let id = 0
  const send = async (method: string, params: object) => {
    socket.send(JSON.stringify({ id: ++id, method, params }))
    for (;;) {
      const [data] = await once(socket, 'message')
      const message = JSON.parse(String(data))
      if (message.id === id) return message.error ? Promise.reject(new Error(message.message)) : message.result
    }
  }
  await send('session.new', { capabilities: {} })
  const { contexts } = await send('browsingContext.getTree', {})
  const { context } = contexts[0]
  await send('browsingContext.navigate', { context, url, wait: 'complete' })
  return async (expression: string): Promise<string> => {
    const { type, result } = await send('script.evaluate', { expression, target: { context }, awaitPromise: true })
    if (type !== 'success') throw new Error(`${expression} failed`)
    return result.value
  }
}
