import t from 'tap'
import { progressLine } from '../../../store/file/progress.ts'

t.test('progress updates one line of a terminal, and ends it', async (t) => {
  const written: string[] = []
  const progress = progressLine({ isTTY: true, write: (text) => written.push(text) }, 'orders.ndjson')
  progress(0.4567, 50_000, false)
  progress(1, 1_234_567, false)
  progress(1, 1_234_567, true)
  t.strictSame(written, [
    '\rLoading orders.ndjson: 45%, 50,000 orders\x1b[K',
    '\rLoading orders.ndjson: 100%, 1,234,567 orders\x1b[K',
    '\rLoading orders.ndjson: 100%, 1,234,567 orders\x1b[K',
    '\n',
  ])
})

t.test('progress prints nothing without a terminal', async (t) => {
  const progress = progressLine({ write: () => t.fail('nothing is to be written') }, 'orders.ndjson')
  progress(1, 50_000, true)
})
