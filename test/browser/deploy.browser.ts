// Pages stay whole while a new version is rolled out: two instances behind nginx restart again and again, each as the other
// version. LOADS=200 loads the page as often.
import { env } from 'node:process'
import t, { type Test } from 'tap'
import { freePort } from 'test-kit/ports'
import { moduleOf, startServer, stop } from '../fixtures/process.ts'
import { startProxy } from '../fixtures/proxies.ts'
import { authorize, key, send, show, tryIt } from './fixture.ts'

const loads = Number(env.LOADS ?? 20)

/** Preloaded, it makes another version: scripts export other names, and styles have another custom property. */
const otherVersion = moduleOf(`
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
const { readFile } = promises
promises.readFile = async (file, ...options) => {
  const content = await readFile(file, ...options)
  if (!/\\/browser\\/.*\\.(js|css)$/.test(String(file))) return content
  const text = String(content)
    .replace(/\\b(start(Access|Copying|Navigation|Search|Tabs|TryIt)|searchIn|entriesOf|wordsOf)\\b/g, '$1Other')
    .replaceAll('--accent', '--other-accent')
  return typeof content === 'string' ? text : Buffer.from(text)
}
syncBuiltinESMExports()
`)

async function startInstance(t: Test, port: number, isOther: boolean) {
  const variables = { PORT: String(port), API_KEYS: `browser:${key}`, TRUST_PROXY: '127.0.0.1', SHUTDOWN_DELAY: '1s' }
  const server = startServer(t, variables, isOther ? { preload: otherVersion } : {})
  await server.origin
  return server
}

t.test(`none of ${loads} pages is broken by a rolling restart`, async (t) => {
  const ports = [await freePort(), await freePort()] as const
  const running = await Promise.all(ports.map((port, at) => startInstance(t, port, at === 1)))
  const origin = await startProxy(t, 'nginx', ports)
  let isOther = true
  let isDone = false
  let restarts = 0
  const rollOut = async () => {
    while (!isDone) {
      for (const [at, port] of ports.entries()) {
        await stop(t, running[at] as never)
        running[at] = await startInstance(t, port, isOther)
        restarts++
      }
      isOther = !isOther
    }
  }
  const rolling = rollOut()
  try {
    for (let count = 0; count < loads; count++) {
      const page = await show(t, `${origin}/docs`)
      await authorize(page)
      await page.getByRole('button', { name: 'Search' }).click()
      await page.keyboard.type('cancel an order')
      await page.getByRole('dialog').getByRole('option').first().waitFor()
      await page.keyboard.press('Escape')
      const form = await tryIt(page, 'getPetById')
      await send(t, form, '200')
      await page.context().close()
    }
  } finally {
    isDone = true
    await rolling
  }
  t.ok(restarts > 2, `${restarts} restarts`)
})
