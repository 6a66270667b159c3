// The walk in WebKit, driven through WebDriver.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { freePort } from 'test-kit/ports'
import { miniBrowserPath, webKitDriverPath, xvfbPath } from './fixture.ts'
import { phone, walk } from './walk.ts'

walk(t, open)

async function open(t: Test, url: string) {
  const driver = await drive(t, await openDisplay(t))
  const options = { binary: miniBrowserPath(), args: ['--automation'] }
  const alwaysMatch = { 'webkitgtk:browserOptions': options }
  const { sessionId } = await driver('/session', { capabilities: { alwaysMatch } })
  t.teardown(() => driver(`/session/${sessionId}`, undefined, 'DELETE'))
  await driver(`/session/${sessionId}/window/rect`, phone)
  await driver(`/session/${sessionId}/url`, { url })
  return (expression: string): Promise<string> =>
    driver(`/session/${sessionId}/execute/sync`, { script: `return ${expression}`, args: [] })
}

/** @returns its name, such as `:1` */
async function openDisplay(t: Test) {
  const args = ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']
  const child = spawn(xvfbPath(), args, { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => child.kill())
  const [number] = await once(child.stdout, 'data')
  return `:${String(number).trim()}`
}

/** @returns a function that sends a command, with its value */
async function drive(t: Test, display: string) {
  const port = await freePort()
  const variables = [`DISPLAY=${display}`, 'LIBGL_ALWAYS_SOFTWARE=1']
  const child = spawn('env', [...variables, webKitDriverPath(), `--port=${port}`], { stdio: 'ignore' })
  t.teardown(() => child.kill())
  const send = async (path: string, body?: object, method = 'POST') => {
    const sent = { method, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, sent)
    const { value } = await response.json()
    return response.ok ? value : Promise.reject(new Error(value.message))
  }
  while (!(await isListening(send))) await setTimeout(50)
  return send
}

async function isListening(send: (path: string, body: undefined, method: string) => Promise<unknown>) {
  try {
    await send('/status', undefined, 'GET')
    return true
  } catch {
    return false
  }
}
