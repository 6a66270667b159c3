import t from 'tap'
import { dashboardNotice, earlyLog, keyNotice, progressLine } from '../../cli/terminal.ts'

t.test('progress keeps one line of a terminal up to date, and ends it', async (t) => {
  const written: string[] = []
  const progress = progressLine({ isTTY: true, write: (text) => written.push(text) }, 'orders.ndjson')
  progress(0.4567, 50_000, false)
  progress(1, 1_234_567, false)
  progress(1, 1_234_567, true)
  t.strictSame(written, [
    '\rLoading orders.ndjson: 45 %, 50,000 orders\x1b[K',
    '\rLoading orders.ndjson: 100 %, 1,234,567 orders\x1b[K',
    '\rLoading orders.ndjson: 100 %, 1,234,567 orders\x1b[K',
    '\n',
  ])
})

t.test('progress says nothing where there is no terminal', async (t) => {
  const progress = progressLine({ write: () => t.fail('nothing is to be written') }, 'orders.ndjson')
  progress(1, 50_000, true)
})

t.test('the notice of a made key has the key on a line of its own, and a command to try it', async (t) => {
  t.equal(
    keyNotice('the-key', 'http://127.0.0.1:3000'),
    `
No API key is configured. This one is valid for this run:

the-key

curl -H 'Authorization: Bearer the-key' http://127.0.0.1:3000/v1/store/orders

`,
  )
})

t.test('the notice of a made key of the dashboard has it on a line of its own, and where it is used', async (t) => {
  t.equal(
    dashboardNotice('the-key', 'http://127.0.0.1:3000'),
    `No key of the dashboard is configured. This one opens http://127.0.0.1:3000/dashboard for this run:

the-key

`,
  )
})

t.test('what happens before there is a log is logged when there is one', async (t) => {
  const lines: string[] = []
  const to = (level: string) => (message: string) => lines.push(`${level} ${message}`)
  const log = earlyLog()
  log.write('warn', 'first')
  log.flowTo({ info: to('info'), warn: to('warn'), error: to('error') })
  log.write('info', 'second')
  log.write('error', 'third')
  t.strictSame(lines, ['warn first', 'info second', 'error third'])
})
