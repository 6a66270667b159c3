import { once } from 'node:events'
import t, { type Test } from 'tap'
import { type LogDestinationOptions, logDestination, loggerOptions } from '../../telemetry/log.ts'

const failing = (code: string) => {
  throw Object.assign(new Error(code), { code })
}

/** A log whose output a test can replace. `reported` waits for the next report. */
function logOf(t: Test, options: Partial<LogDestinationOptions> = {}) {
  const written: string[] = []
  const reports: string[] = []
  const events = new EventTarget()
  let output = (bytes: Buffer) => written.push(String(bytes)) && bytes.length
  const log = logDestination({
    output: (bytes) => output(bytes),
    report(message) {
      reports.push(message)
      events.dispatchEvent(new Event('report'))
    },
    ...options,
  })
  const alive = setInterval(() => {}, 60_000) // the log itself does not keep the process running
  t.teardown(() => {
    clearInterval(alive)
    output = works // ends the retries
  })
  const works = output
  const setOutput = (changed: typeof output) => {
    output = changed
  }
  return { log, written, reports, reported: () => once(events, 'report'), setOutput, works }
}

const turn = () => new Promise(setImmediate)

t.test('the lines of an iteration of the event loop are written together, a fatal one at once', async (t) => {
  const { log, written } = logOf(t)
  log.write('1\n')
  log.write('2\n')
  t.strictSame(written, [])
  await turn()
  log.write('3\n')
  await turn()
  t.strictSame(written, ['1\n2\n', '3\n'])
  log.write('fatal\n')
  log.flushSync()
  t.equal(written.at(-1), 'fatal\n')
})

t.test('a failing log is reported once, and its pending lines are written in full once it recovers', async (t) => {
  const { log, written, reports, reported, setOutput, works } = logOf(t)
  let attempts = 0
  setOutput(() => {
    attempts++
    if (attempts === 3) setOutput(works)
    return failing('ENOSPC')
  })
  log.write('1\n')
  await reported()
  log.write('2\n')
  await reported()
  t.equal(attempts, 3)
  t.strictSame(written.join(''), '1\n2\n')
  t.strictSame(reports, [
    'cannot write the log (ENOSPC); continuing without it and retrying',
    'writing the log again; 0 lines were lost',
  ])
})

t.test('a line that is cut short by a full disk is completed later', async (t) => {
  const { log, written, reported, setOutput, works } = logOf(t)
  setOutput((bytes) => {
    setOutput(() => {
      setOutput(works)
      return failing('ENOSPC')
    })
    return written.push(String(bytes.subarray(0, 3))) && 3
  })
  log.write('a line\n')
  await reported()
  await reported()
  t.equal(written.join(''), 'a line\n')
})

t.test('it is retried after longer and longer pauses of up to a second, and soon once it has recovered', (t) => {
  const { log, setOutput, works, written } = logOf(t)
  const pauses: number[] = []
  const retries: (() => void)[] = []
  const later = (retry: () => void, ms: number) => {
    retries.push(retry)
    pauses.push(ms)
    return { unref() {} }
  }
  t.intercept(globalThis, 'setTimeout', { value: later as unknown as typeof setTimeout })
  const immediates: (() => void)[] = []
  t.intercept(globalThis, 'setImmediate', { value: (flush: () => void) => immediates.push(flush) })
  const fails = () => setOutput(() => failing('EAGAIN'))
  fails()
  log.write('1\n')
  immediates.shift()?.()
  log.write('2\n')
  t.equal(immediates.length, 0, 'a line waits for the retry')
  for (let i = 0; i < 12; i++) retries.shift()?.()
  t.strictSame(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 1000, 1000])
  setOutput(works)
  retries.shift()?.()
  t.equal(written.join(''), '1\n2\n')
  fails()
  log.write('3\n')
  immediates.shift()?.()
  t.strictSame([pauses.length, pauses.at(-1)], [14, 1])
  setOutput(works)
  log.flushSync()
  t.end()
})

t.test('lines wait up to a limit, and lost ones are counted', async (t) => {
  const { log, written, reports, reported, setOutput, works } = logOf(t, { maxWaitingBytes: 4 })
  setOutput(() => failing('EAGAIN'))
  log.write('1\n')
  log.write('2\n')
  await turn()
  t.strictSame(reports, [], 'a reader may be slow for some time')
  log.write('3\n')
  log.write('4\n')
  setOutput(works)
  await reported()
  t.strictSame(written.join(''), '1\n2\n')
  t.strictSame(reports, [
    'cannot write the log (its reader is too slow); continuing without it and retrying',
    'writing the log again; 2 lines were lost',
  ])
  setOutput(() => failing('EAGAIN'))
  log.write('567\n')
  log.write('8\n')
  setOutput(works)
  await reported()
  t.equal(reports.at(-1), 'writing the log again; 1 line was lost', 'of the second outage')
  t.equal(log.lost(), 3)
})

t.test('up to 4 MiB wait for a slow reader, and at the end for a second', async (t) => {
  const { log, setOutput } = logOf(t)
  let attempts = 0
  setOutput(() => {
    attempts++
    return failing('EAGAIN')
  })
  log.write('x'.repeat(4 * 1024 * 1024))
  t.equal(log.lost(), 0)
  log.write('\n')
  t.equal(log.lost(), 1)
  let now = 0
  t.intercept(Date, 'now', { value: () => now++ * 100 })
  log.end()
  t.equal(attempts, 10)
})

t.test('closing writes pending lines, and waits for a slow reader', async (t) => {
  const { log, written, reports, setOutput, works } = logOf(t, { endMs: 60_000 })
  setOutput(() => {
    setOutput(works)
    return failing('EAGAIN')
  })
  log.write('last\n')
  log.end()
  t.strictSame(written, ['last\n'])
  t.strictSame(reports, [])
})

t.test('closing counts the lost lines, and does not wait for a stalled reader', async (t) => {
  for (const code of ['EPIPE', 'EAGAIN']) {
    const { log, reports, setOutput } = logOf(t, { endMs: 20 })
    setOutput(() => failing(code))
    log.write('1\n')
    log.end()
    t.strictSame(reports, ['at the end of the log, 1 line was lost'])
  }
})

t.test('the log is JSON without the Authorization header, pretty on a terminal, and off if silent', async (t) => {
  const { log, written } = logOf(t)
  const options = await loggerOptions('warn', false, log)
  t.match(options, { level: 'warn', redact: ['req.headers.authorization'], stream: log })
  const cut = options ? options.formatters.log({ path: `/${'a'.repeat(2_048)}`, bytes: 1 }) : {}
  t.strictSame(cut, { path: `/${'a'.repeat(2_047)}…`, bytes: 1 })
  t.equal(await loggerOptions('silent', true, log), false)

  const terminal = await loggerOptions('info', true, log)
  if (terminal)
    terminal.stream?.write('{"level":30,"time":0,"pid":4711,"hostname":"h","msg":"hello","more":{"than":"one"}}\n')
  log.flushSync()
  t.match(written.join(''), /^\[.*\] .*INFO.*: .*hello.*one.*\n$/, 'in one line')
  t.notMatch(written.join(''), '4711')
})
