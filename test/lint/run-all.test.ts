import process from 'node:process'
import t from 'tap'
import { runAll } from './run-all.js'

const node = (code: string) => `"${process.execPath}" --eval "${code}"`

t.test('every failure is reported with its whole output, and the others run all the same', async (t) => {
  const texts: string[] = []
  const failing = node("console.log('x'.repeat(2 ** 21)); console.error('end'); process.exitCode = 3")
  const passing = node("console.log('silent')")
  t.notOk(await runAll([failing, passing, failing], (text) => texts.push(text)))
  const withoutTimes = texts.map((text) => text.replace(/\([\d.]+ s\)/, '(… s)')).sort()
  const failure = `FAILED (… s): ${failing}\n${'x'.repeat(2 ** 21)}\nend\n`
  t.strictSame(withoutTimes, [failure, failure, `passed (… s): ${passing}`])
})
