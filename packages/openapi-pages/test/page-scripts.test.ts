// What the scripts of the page do, with stand-ins for the few parts of it that they need.
import t, { type Test } from 'tap'
import { deferred } from 'test-kit/until'

/** Not typed here: the types of browsers are those of another configuration. */
const script = (file: string) => import(file)

function globals(t: Test, values: object) {
  for (const [name, value] of Object.entries(values)) t.intercept(globalThis, name as 'Map', { value })
}

interface Node {
  children: (Node | string)[]
  [name: string]: unknown
}

/** An element that keeps its attributes and what is in it. */
function createElement(): Node {
  const element: Node = { children: [], addEventListener() {} }
  element.append = (...children: Node['children']) => element.children.push(...children)
  element.setAttribute = (name: string, value: string) => Object.assign(element, { [name]: value })
  return element
}

const textOf = (node: Node | string): string =>
  typeof node === 'string' ? node : String(node.textContent ?? node.children.map(textOf).join(''))

t.test('a button says what came of copying until it loses the focus or the pointer', async (t) => {
  const { copyText } = await script('../browser/copy.js')
  const written: string[] = []
  const page = { isAllowed: true, isCopied: false, selected: [] as unknown[] }
  globals(t, {
    navigator: {
      clipboard: { writeText: async (text: string) => (page.isAllowed ? written.push(text) : Promise.reject()) },
    },
    document: { execCommand: () => page.isCopied },
    getSelection: () => ({ selectAllChildren: (element: unknown) => page.selected.push(element) }),
  })
  for (const type of ['blur', 'pointerleave']) {
    let shown: unknown[] = []
    const replaceChildren = (...nodes: unknown[]) => {
      shown = nodes
    }
    const button = Object.assign(new EventTarget(), {
      childNodes: ['Copy', ' the code'],
      textContent: '',
      replaceChildren,
    })
    for (const [isAllowed, isCopied, element, text] of [
      [true, false, 'code', 'Copied'],
      [false, true, 'code', 'Copied'],
      [false, false, 'code', 'Selected: copy it'],
      [false, false, undefined, 'Copying failed'],
    ] as const) {
      Object.assign(page, { isAllowed, isCopied })
      await copyText(button, 'the text', element)
      t.equal(button.textContent, text)
      button.childNodes = [text]
    }
    button.dispatchEvent(new Event(type))
    t.strictSame(shown, ['Copy', ' the code'])
  }
  t.strictSame([written, page.selected], [['the text', 'the text'], Array(4).fill('code')])
})

t.test('a script is loaded once; after a failure, again from another address', async (t) => {
  const { load } = await script('../browser/load.js')
  globals(t, { location: { href: 'https://shop.test/docs' } })
  const url = 'data:text/javascript,export const one = 1 //'
  t.equal(load(url), load(url))
  t.equal((await load(url)).one, 1)
  const failing = 'data:text/javascript,throw new Error(import.meta.url) //'
  for (const address of [failing, `${failing}?1`, `${failing}?2`])
    await t.rejects(load(failing), { message: new URL(address).href })
  t.equal((await load(url)).one, 1)
})

t.test('a script that cannot be loaded is explained: by a new version if the server has none', async (t) => {
  const { explain } = await script('../browser/load.js')
  let reloads = 0
  globals(t, {
    location: { reload: () => reloads++ },
    document: { createElement: () => new EventTarget() },
  })
  for (const [status, isNew] of [
    [404, true],
    [200, false],
    [0, false],
  ] as const) {
    const requests: unknown[] = []
    const fetch = async (...request: unknown[]) => {
      requests.push(request)
      return status === 0 ? Promise.reject(new Error('offline')) : { status }
    }
    globals(t, { fetch })
    let parts: [text?: string, button?: EventTarget] = []
    const element = {
      textContent: '',
      replaceChildren: (...nodes: typeof parts) => {
        parts = nodes
      },
    }
    await explain(element, '/a.js', 'It cannot be loaded.')
    t.strictSame(requests, [['/a.js', { method: 'HEAD' }]])
    t.equal(element.textContent, 'It cannot be loaded.')
    t.equal(parts[0], isNew ? 'A new version of this page is out. ' : undefined)
    parts[1]?.dispatchEvent(new Event('click'))
  }
  t.equal(reloads, 1)
})

t.test(
  'a download has the name that the server gives it, or one by its path and type; the last one is freed',
  async (t) => {
    const { responseParts } = await script('../browser/try-it-response.js')
    globals(t, { document: { createElement }, location: { href: 'https://shop.test/docs' } })
    const revoked = t.capture(URL, 'revokeObjectURL', URL.revokeObjectURL)
    const addresses: unknown[] = ['']
    for (const [url, type, disposition, name] of [
      ['/files/7', 'application/pdf', 'attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
      ['/files/7', 'application/pdf', 'attachment; filename=plain.pdf; size=1', 'plain.pdf'],
      ['/files/7', 'application/pdf', `attachment; filename="euro.pdf"; filename*=UTF-8''%e2%82%ac.pdf`, '€.pdf'],
      ['/files/7', 'application/pdf', `attachment; filename*=iso-8859-1''%a3.pdf`, '£.pdf'],
      ['/files/7', 'application/pdf', '', '7.pdf'],
      ['/files/7', 'application/vnd.shop+zip; v=1', '', '7.zip'],
      ['/files/a.zip', 'application/octet-stream', '', 'a.zip'],
      ['/', 'application/pdf', '', 'response.pdf'],
    ] as const) {
      const headers = new Headers({ 'content-type': type, ...(disposition && { 'content-disposition': disposition }) })
      const parts = await responseParts({ headers, url: `https://shop.test${url}` }, new Blob(['bytes']))
      const [, link] = parts[0].children
      t.equal(link.download, name)
      addresses.push(link.href)
    }
    t.strictSame(revoked.args().flat(), addresses.slice(0, -1))
  },
)

t.test(
  'JSON is laid out with every digit, unless it is long then; of what is long itself, a part is shown',
  async (t) => {
    const { responseParts } = await script('../browser/try-it-response.js')
    globals(t, { document: { createElement }, location: { href: 'https://shop.test/docs' } })
    const deep = '['.repeat(3000) + ']'.repeat(3000)
    const long = JSON.stringify(['a'.repeat(200_000)])
    for (const [type, body, shown, ...link] of [
      ['application/json', '[9007199254740993]', '[\n  9007199254740993\n]'],
      ['application/json', deep, deep],
      ['application/json', long, long.slice(0, 20_000), 'The beginning of the response. Download the whole response'],
      ['text/plain; charset=iso-8859-1', Buffer.from('Zoë', 'latin1'), 'Zoë'],
    ] as const) {
      const response = { headers: new Headers({ 'content-type': type }), url: 'https://shop.test/' }
      const parts: Node[] = await responseParts(response, new Blob([body]))
      t.equal(textOf(parts.at(-2)?.children[1] as Node), shown)
      t.strictSame(parts.slice(0, -2).map(textOf), link)
    }
  },
)

t.test('a key is checked by a request without side effects, and only 401 rejects it', async (t) => {
  const dataset = { scheme: 'key', in: 'header', name: 'Authorization', prefix: 'Bearer ', probe: '/orders' }
  const form = {
    querySelector: (selector: string) => (selector === '[data-url]' ? { dataset: { url: '/v1/' } } : null),
    querySelectorAll: () => [{ dataset }],
  }
  const document = { querySelector: (selector: string) => (selector === 'form.access' ? form : null) }
  globals(t, { document, location: { href: 'https://shop.test/docs' } })
  const { credentialsOf, enterKey, keyOf, showKey } = await script('../browser/access.js')
  const limits = t.capture(AbortSignal, 'timeout', AbortSignal.timeout)
  const field = { value: '', setAttribute: (_name: string, value: string) => Object.assign(field, { invalid: value }) }
  const output = { textContent: '', dataset: {} as { verdict?: string } }
  const shown = () => {
    showKey('key', [field], output, 'A hint')
    return [output.dataset.verdict, output.textContent, field.value]
  }
  t.strictSame(shown(), ['none', 'A hint', ''])
  for (const [key, statuses, verdict, text] of [
    [' one ', [200], 'accepted', 'Key accepted'],
    ['two', [399], 'accepted', 'Key accepted'],
    ['three', [401], 'rejected', 'The server rejects this key'],
    ['four', [405, 200], 'accepted', 'Key accepted'],
    ['five', [501, 401], 'rejected', 'The server rejects this key'],
    ['six', [400], 'unchecked', 'Not checked: the server responded with 400.'],
    ['seven', [403], 'unchecked', 'Not checked: the server responded with 403.'],
    ['eight', [429], 'unchecked', 'Not checked: the server responded with 429. Try again later.'],
    ['nine', [500], 'unchecked', 'Not checked: the server responded with 500. Try again later.'],
    ['ten', [], 'unreachable', 'Not checked: this page cannot reach the server'],
    ['', [], 'none', 'A hint'],
    ['not a key', [], 'rejected', 'A key has only ASCII characters and no spaces'],
  ] as const) {
    const sent: string[] = []
    globals(t, {
      async fetch(url: string, { method, headers }: { method: string; headers: Headers }) {
        t.equal(headers.get('authorization'), `Bearer ${key.trim()}`)
        const status = statuses[sent.length]
        sent.push(`${method} ${url}`)
        return status === undefined ? Promise.reject(new Error('offline')) : { status }
      },
    })
    await enterKey('key', key)
    const isSent = !['', 'not a key'].includes(key)
    const requests = ['HEAD', 'GET'].slice(0, isSent ? Math.max(1, statuses.length) : 0)
    t.strictSame(
      sent,
      requests.map((method) => `${method} https://shop.test/v1/orders`),
    )
    t.strictSame(
      [...shown().slice(0, 2), Reflect.get(field, 'invalid')],
      [verdict, text, String(verdict === 'rejected')],
    )
  }
  t.equal(
    limits().every(({ args: [ms] }) => ms === 10_000),
    true,
  )
  const { promise, resolve } = deferred<{ status: number }>()
  globals(t, { fetch: () => promise })
  const first = enterKey('key', ' first ')
  t.strictSame(shown(), ['checking', 'Checking…', 'first'])
  globals(t, { fetch: async () => ({ status: 200 }) })
  await enterKey('key', 'last')
  resolve({ status: 401 })
  await first
  t.strictSame([keyOf('key'), ...shown()], ['last', 'accepted', 'Key accepted', 'last'])
  const again = enterKey('key', 'other')
  shown()
  field.value = 'typed meanwhile'
  await again
  t.strictSame(shown(), ['accepted', 'Key accepted', 'typed meanwhile'])
  const { scheme: _scheme, probe: _probe, ...carried } = dataset
  t.strictSame(credentialsOf([['other'], ['key']]), [{ ...carried, key: 'other' }])
})

t.test(
  'of a response, the first 20,000 characters are shown while it arrives; all that has arrived is kept',
  async (t) => {
    const { received } = await script('../browser/try-it-response.js')
    for (const [type, isBroken, shown] of [
      ['text/plain', false, `é${'a'.repeat(19_999)}`],
      ['application/json; charset=iso-8859-1', true, `Ã©${'a'.repeat(19_998)}`],
      ['image/png', false, ''],
    ] as const) {
      const code = {
        textContent: '',
        append: (text: string) => Object.assign(code, { textContent: code.textContent + text }),
      }
      const element = { setAttribute() {}, append() {}, querySelector: () => code }
      globals(t, { document: { createElement: () => element } })
      const [first, second] = new TextEncoder().encode('é')
      const chunks = [[first], [second], Buffer.from('a'.repeat(15_000)), Buffer.from('a'.repeat(15_000))]
      const body = new ReadableStream({
        pull(controller) {
          const chunk = chunks.shift()
          if (chunk) controller.enqueue(Uint8Array.from(chunk as number[]))
          else if (isBroken) controller.error(new Error('it broke off'))
          else controller.close()
        },
      })
      let heard = 0
      const response = { body, headers: new Headers({ 'content-type': type }) }
      const { bytes, isWhole } = await received(response, { replaceChildren() {} }, () => heard++)
      t.strictSame([code.textContent, bytes.size, isWhole, heard], [shown, 30_002, !isBroken, 4])
    }
  },
)

t.test('the first call shows its status and body, or that there is no response within 30 seconds', async (t) => {
  const { send } = await script('../browser/first-call.js')
  const limits = t.capture(AbortSignal, 'timeout', AbortSignal.timeout)
  globals(t, { document: { createElement } })
  const long = [1, 'a'.repeat(20_000)]
  const offline = 'No response: this page cannot reach the server, or is not allowed to.'
  for (const [answer, shown] of [
    [new Response(null, { status: 204 }), ['204', 'status status-2xx', 'Response', 'No body', 'sent']],
    [
      Response.json(long, { status: 201 }),
      ['201', 'status status-2xx', 'Response', JSON.stringify(long, null, 2).slice(0, 20_000), 'sent'],
    ],
    [new Error('offline'), ['', '', '', offline, '']],
  ] as const) {
    const requests: [url: string, options: { headers: Headers; signal: AbortSignal }][] = []
    globals(t, {
      fetch: async (...request: (typeof requests)[number]) =>
        requests.push(request) && (answer instanceof Error ? Promise.reject(answer) : answer),
    })
    const status = { textContent: '', className: '', previousElementSibling: { textContent: '' } }
    const page = { text: '', sent: '' }
    const replaceChildren = (shown: Node) => Object.assign(page, { text: textOf(shown) })
    const steps = {
      querySelector: (selector: string) => (selector === '.answer' ? { replaceChildren } : status),
      classList: { add: (name: string) => Object.assign(page, { sent: name }) },
    }
    const button = { closest: () => steps, dataset: { target: '/orders?a=b', accept: 'application/json' } }
    const key = { in: 'query', name: 'key', prefix: '', key: 'one' }
    await send(button, 'https://shop.test/v1', [key, { ...key, in: 'header', name: 'x-key' }])
    const [[url, { headers, signal }]] = requests as [(typeof requests)[number]]
    t.match(limits(), [{ args: [30_000], returned: signal }])
    t.strictSame(
      [url, headers.get('accept'), headers.get('x-key')],
      ['https://shop.test/v1/orders?a=b&key=one', 'application/json', 'one'],
    )
    t.strictSame(
      [status.textContent, status.className, status.previousElementSibling.textContent, page.text, page.sent],
      shown,
    )
  }
})
