import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import t from 'tap'

/** Prints whether two objects of the queue have the class of the one that is kept: before full collections, and after. */
const program = `
import { createHook } from 'node:async_hooks'
import { tickObject } from ${JSON.stringify(new URL('../next-tick.ts', import.meta.url).href)}
const isSame = new Function('object', 'other', 'return %HaveSameMap(object, other)')
const tick = () => new Promise((resolve) => process.nextTick(resolve))
async function isOfQueue() {
  let queued
  const hook = createHook({ init(_id, type, _trigger, object) { if (type === 'TickObject') queued ??= object } }).enable()
  await tick()
  hook.disable()
  return isSame(tickObject, queued)
}
for (let calls = 0; calls < 50_000; calls++) await tick() // compiled by now
const before = await isOfQueue()
for (let times = 0; times < 10; times++) {
  await new Promise(setImmediate)
  gc()
}
console.log(before, await isOfQueue())
`

t.test('the class of the objects in the queue of process.nextTick outlives full garbage collections', async (t) => {
  const flags = [...process.execArgv, '--expose-gc', '--allow-natives-syntax', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, flags)
  t.equal(stdout, 'true true\n', process.version)
})
