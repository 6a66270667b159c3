// The walk in Firefox, driven through WebDriver BiDi.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import WebSocket from 'ws'
import { firefoxPath } from './fixture.ts'
import { phone, walk } from './walk.ts'

walk(t, open)

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
  await send('browsingContext.setViewport', { context, viewport: phone })
  await send('browsingContext.navigate', { context, url, wait: 'complete' })
  return async (expression: string): Promise<string> => {
    const { type, result } = await send('script.evaluate', { expression, target: { context }, awaitPromise: true })
    if (type !== 'success') throw new Error(`${expression} failed`)
    return result.value
  }
}
