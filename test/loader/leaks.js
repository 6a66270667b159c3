// Preloaded in tests: what one leaves open fails it. That is what keeps the process alive, the program's timers, files and
// listeners of signals, and idle connections. The tests of a slower suite share a browser or a server.
import { getEventListeners } from 'node:events'
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import { constants } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { crowding, endProcess, isLimited } from './time-limit.js'

/** To end takes a moment. All of it is only taken by a test that fails. */
const SETTLE_MS = 5_000
const isProgram =
  /\/(app|server|signals)\.ts:|\/(cli|config|domains|handlers|plugins|spec|store|telemetry)\/|\/packages\/[^/]+\/(src\/|[^/]+\.ts:)/
/** What the files share is open before their first test. */
const exempt = new Set(['the test files are imported before the first test starts'])
/** The timer of `AbortSignal.timeout` ends by itself. Above node_modules there may be a folder with any of the names. */
const isExempt = /\bwithTimeout \(|\/(test(-kit)?|node_modules)\//

/** @type {Map<object, { name: string, isOpen: () => boolean }>} */
const watched = new Map()
/** @type {string[]} */
let before = []
/** What stays open may come and go: it would fail the tests that follow, too. */
let isLeaking = false

for (const name of ['setTimeout', 'setInterval']) {
  watch(globalThis, name, isOfProgram, (_global, place, _args, timer) => {
    watched.set(timer, { name: `a timer${place}`, isOpen: () => !timer._destroyed })
  })
}
watch(Socket.prototype, 'unref', isOurs, (socket, place) => {
  watched.set(socket, { name: `an idle connection${place}`, isOpen: () => !socket.destroyed })
})
watch(AbortSignal.prototype, 'addEventListener', isOfProgram, (signal, place, [type, listener]) => {
  const isOpen = () => !signal.aborted && getEventListeners(signal, type).includes(listener)
  watched.set(listener, { name: `a listener${place}`, isOpen })
})
watch(files, 'open', isOfProgram, (_files, place, _args, opening) => {
  const note = (/** @type {any} */ handle) =>
    watched.set(handle, { name: `a file${place}`, isOpen: () => handle.fd >= 0 })
  opening.then(note, () => {}) // whoever opens it gets the error
})
syncBuiltinESMExports()

/**
 * @param {any} holder
 * @param {string} name
 * @param {(caller: string) => boolean} isWatched
 * @param {(target: any, place: string, args: any[], result: any) => void} notice
 */
function watch(holder, name, isWatched, notice) {
  const original = holder[name]
  /** @this {any} */
  function watching(/** @type {any[]} */ ...args) {
    const result = original.apply(this, args)
    if (isWatched(placeOf(watching, 1))) notice(this, placeOf(watching, 10), args, result)
    return result
  }
  holder[name] = Object.assign(watching, original) // with its form for promises
}

/** So many lines of the stack above a function: most calls are not watched, and to write a whole stack takes long. */
function placeOf(/** @type {Function} */ below, /** @type {number} */ lines) {
  const { stackTraceLimit } = Error
  const trace = { stack: '' }
  Error.stackTraceLimit = lines
  Error.captureStackTrace(trace, below)
  Error.stackTraceLimit = stackTraceLimit
  return trace.stack.replace(/^Error/, '')
}

function isOfProgram(/** @type {string} */ caller) {
  return isProgram.test(caller) && isOurs(caller)
}

function isOurs(/** @type {string} */ caller) {
  return !isExempt.test(caller)
}

function open() {
  const listened = Object.keys(constants.signals).flatMap((signal) =>
    process.listeners(/** @type {any} */ (signal)).map(() => `a listener of ${signal}`),
  )
  return [...process.getActiveResourcesInfo(), ...listened]
}

/** @returns what is open, but was not before the test */
function leaks() {
  const rest = [...before]
  const added = open().filter((name) => {
    const index = rest.indexOf(name)
    if (index >= 0) rest.splice(index, 1)
    return index < 0
  })
  return [...added, ...[...watched.values()].filter(({ isOpen }) => isOpen()).map(({ name }) => name)]
}

t.beforeEach((t) => {
  if (!isLimited || t.parent?.parent) return
  before = open()
  watched.clear()
})
t.afterEach(async (t) => {
  if (!isLimited || t.parent?.parent || t.timedOut || isLeaking || exempt.has(t.name)) return
  const end = performance.now() + SETTLE_MS * crowding()
  let left = leaks()
  while (left.length > 0 && performance.now() < end) {
    await sleep(5)
    left = leaks()
  }
  isLeaking = left.length > 0
  if (!isLeaking) return
  endProcess()
  throw new Error(`"${t.name}" leaves open ${left.join(', ')}`)
})
