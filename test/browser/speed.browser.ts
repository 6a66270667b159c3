// The first screen on a phone: 1.6 Mbit/s with 150 ms of latency, and a CPU four times slower.
// Times depend on the machine, so they are printed, not asserted.
import { createServer, type ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { listen } from 'test-kit/ports'
import { serve, show } from './fixture.ts'

/** The bound of a good cumulative layout shift, in Core Web Vitals. */
const GOOD_LAYOUT_SHIFT = 0.1
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const phone = { viewport: { width: 375, height: 812 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }

t.test('the page loads on a slow phone, and moves less than anyone notices', async (t) => {
  const origin = await serve(t)
  const paints: number[] = []
  for (const address of ['/docs', '/docs#cancelOrder', '/docs#schema-Order']) {
    const page = await slowPhone(t, origin)
    await page.goto(`${origin}${address}`)
    await page.evaluate(() => document.fonts.ready)
    paints.push(Math.round(await page.evaluate(largestPaint)))
    const moved = (await page.evaluate(shifts)).filter(({ hadRecentInput }) => !hadRecentInput)
    t.ok(moved.reduce((sum, { value }) => sum + value, 0) < GOOD_LAYOUT_SHIFT, JSON.stringify(moved))
  }
  const [, median] = paints.toSorted((a, b) => a - b)
  t.comment(`largest contentful paint: ${median} ms (${paints.join(', ')})`)
})

async function slowPhone(t: Test, origin: string) {
  const page = await show(t, 'about:blank', phone, [origin])
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', network)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return page
}

t.test('nothing moves, wherever the first chunk of the page ends', async (t) => {
  const { origin, pieces } = await inPieces(t, await serve(t))
  const page = await show(t, 'about:blank', phone, [origin])
  await page.goto(`${origin}/docs`, { waitUntil: 'commit' })
  for (const arrive of pieces) {
    arrive()
    await page.evaluate(painted)
  }
  await page.waitForLoadState()
  t.strictSame(await page.evaluate(shifts), [])
})

/** Serves `target`, but the bar and the introduction of its page arrive tag by tag, whenever the next of `pieces` is called. */
async function inPieces(t: Test, target: string) {
  const html = await (await fetch(`${target}/docs`)).text()
  const [begin, end] = [html.indexOf('<header'), html.indexOf('</section>', html.indexOf('<h1'))]
  const parts = [...html.slice(begin, end).split(/(?=<)/), html.slice(end)]
  let page: ServerResponse
  const server = createServer(async ({ url }, response) => {
    const answer = await fetch(`${target}${url}`)
    response.setHeader('content-type', String(answer.headers.get('content-type')))
    if (url !== '/docs') return response.end(new Uint8Array(await answer.arrayBuffer()))
    page = response
    return response.write(html.slice(0, begin))
  })
  const port = await listen(t, server)
  const pieces = parts.map((part, index) => () => (index === parts.length - 1 ? page.end(part) : page.write(part)))
  return { origin: `http://127.0.0.1:${port}`, pieces }
}

/** Resolves when everything received has been painted. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
    setTimeout(resolve, 100) // no frame comes while rendering is blocked
  })
}

/** When the largest element was painted: only observers are notified, maybe later. */
function largestPaint(): Promise<number> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(Number(list.getEntries().at(-1)?.startTime)))
    observer.observe({ type: 'largest-contentful-paint', buffered: true })
  })
}

/** Everything that moved until the next frame. */
function shifts(): Promise<{ value: number; hadRecentInput: boolean }[]> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries().map((entry) => entry.toJSON())))
    observer.observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => resolve([])))
  })
}
