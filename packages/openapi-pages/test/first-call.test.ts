import { createServer } from 'node:http'
import t from 'tap'
import { listen } from 'test-kit/ports'

/** Not typed here: the types of browsers are those of another configuration. */
const { send } = await import(new URL('../browser/first-call.js', import.meta.url).href)

t.test('the first call waits 30 s for its response, and then says that there is none', async (t) => {
  const port = await listen(
    t,
    createServer(() => ended.abort()),
  )
  const ended = new AbortController()
  const limits: number[] = []
  t.intercept(AbortSignal, 'timeout', { value: (ms: number) => limits.push(ms) && ended.signal })
  const document = { createElement: () => ({}) }
  t.intercept(globalThis, 'document' as never, { value: document, configurable: true } as never)
  const shown: object[] = []
  const steps = { querySelector: () => ({ replaceChildren: (...children: object[]) => shown.push(...children) }) }
  await send({ dataset: { target: '/' }, closest: () => steps }, `http://127.0.0.1:${port}`, [])
  t.strictSame(limits, [30_000])
  t.match(shown, [{ className: 'hint error', textContent: /^No response/ }])
})
