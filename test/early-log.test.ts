import t from 'tap'
import { earlyLog } from '../early-log.ts'

t.test('events before the log is open are logged once it is', async (t) => {
  const lines: string[] = []
  const to = (level: string) => (message: string) => lines.push(`${level} ${message}`)
  const log = earlyLog()
  log.write('warn', 'first')
  log.flowTo({ info: to('info'), warn: to('warn'), error: to('error') })
  log.write('info', 'second')
  log.write('error', 'third')
  t.strictSame(lines, ['warn first', 'info second', 'error third'])
})
