// The first screen on a phone: a connection of 1.6 Mbit/s with 150 ms of latency, and a processor four times slower.
// The times are printed, not asserted: they are the machine's. That nothing moves is asserted.
import t from 'tap'
import { serve, show } from './fixture.ts'

const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const phone = { viewport: { width: 375, height: 812 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }

t.test('nothing moves while the page loads on a slow phone', async (t) => {
  const origin = await serve(t)
  const paints: number[] = []
  for (const _ of ['first', 'second', 'third']) {
    const page = await show(t, 'about:blank', phone, [origin])
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', network)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.goto(`${origin}/docs`)
    await page.evaluate(() => document.fonts.ready)
    const entries = await page.evaluate(read, ['largest-contentful-paint', 'layout-shift'])
    const shifts = entries.filter(({ entryType }) => entryType === 'layout-shift')
    t.strictSame(shifts, [], 'no layout shift')
    paints.push(Math.round(entries.findLast(({ entryType }) => entryType !== 'layout-shift')?.startTime ?? Number.NaN))
  }
  const [, median] = paints.toSorted((a, b) => a - b)
  t.comment(`largest contentful paint: ${median} ms (${paints.join(', ')})`)
  t.ok(Number.isFinite(median))
})

/** The entries of these types, which only an observer gets. */
function read(types: string[]): Promise<{ entryType: string; startTime: number }[]> {
  const all = types.map(
    (type) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()))
        observer.observe({ type, buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve([])))
      }),
  )
  return Promise.all(all).then((lists) => lists.flat().map((entry) => entry.toJSON()))
}
