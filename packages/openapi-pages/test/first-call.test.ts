import { createServer, type RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { listen } from 'test-kit/ports'

/** Not typed here: the types of browsers are those of another configuration. */
const { send } = await import(new URL('../browser/first-call.js', import.meta.url).href)

interface Node {
  textContent?: string
  children: (Node | string)[]
}

/** What the first call at this server leaves in the place of its answer. */
async function shownBy(t: Test, respond: RequestListener): Promise<Node> {
  const element = (): Node & Record<string, unknown> => {
    const children: Node[] = []
    const append = (...more: Node[]) => children.push(...more)
    return { children, append, setAttribute() {}, classList: { add() {} }, replaceChildren: append }
  }
  t.intercept(globalThis, 'document' as never, { value: { createElement: element }, configurable: true } as never)
  const answer = element()
  const steps = { ...element(), querySelector: (part: string) => (part === '.answer' ? answer : element()) }
  const port = await listen(t, createServer(respond))
  await send({ dataset: { target: '/' }, closest: () => steps }, `http://127.0.0.1:${port}`, [])
  return answer.children[0] as Node
}

const textOf = ({ textContent, children }: Node): string =>
  textContent ?? children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')

t.test('the first call waits 30 s for its response, and then says that there is none', async (t) => {
  const ended = new AbortController()
  const limits: number[] = []
  t.intercept(AbortSignal, 'timeout', { value: (ms: number) => limits.push(ms) && ended.signal })
  const shown = await shownBy(t, () => ended.abort())
  t.strictSame(limits, [30_000])
  t.match(shown, { className: 'hint error', textContent: /^No response/ })
})

t.test('the beginning of a long answer is laid out like a whole one', async (t) => {
  const shown = await shownBy(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify([1, 'a'.repeat(20_000)]))
  })
  t.match(textOf(shown), /^\[\n {2}1,\n/)
  t.equal(textOf(shown).length, 20_000)
})
