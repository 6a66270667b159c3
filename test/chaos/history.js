// The history of a trial: what clients and another service did, when, and with which result. Porcupine checks it.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Operation
 * @property {'insert' | 'ship' | 'replace' | 'cancel' | 'list' | 'status'} kind
 * @property {number} [id] of the order
 * @property {string} [outcome] unknown: it may have taken effect, or may do so later
 * @property {number[]} [shown] the orders of a list
 * @property {number} begin in nanoseconds
 * @property {number | null} end null if the outcome is unknown
 */

const now = () => Math.round(performance.now() * 1e6)

export function newHistory() {
  /** @type {Operation[]} */
  const operations = []
  /** Responses that no client may get. @type {string[]} */
  const failures = []
  return {
    operations,
    failures,
    /** @param {string} failure */
    fail: (failure) => failures.push(failure),
    /**
     * Runs the operation and records its result, unless that is undefined.
     * @param {Pick<Operation, 'kind' | 'id'>} what
     * @param {() => Promise<Pick<Operation, 'outcome' | 'shown'> | undefined>} work rejects if the outcome is unknown
     */
    async record(what, work) {
      const begin = now()
      try {
        const seen = await work()
        if (seen) operations.push({ ...what, ...seen, begin, end: now() })
      } catch {
        operations.push({ ...what, outcome: 'unknown', begin, end: null })
      }
    },
  }
}

const source = fileURLToPath(new URL('porcupine', import.meta.url))
const program = join(tmpdir(), `store-orders-porcupine-${process.pid}`)

/** Needs Go. */
export function buildChecker() {
  const { status, stderr } = spawnSync('go', ['build', '-o', program, '.'], { cwd: source, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The checker of histories cannot be built with Go: ${stderr}`)
}

/** Whether Porcupine finds the history linearizable. @param {Operation[]} operations @returns {Promise<boolean>} */
export async function isLegal(operations) {
  const child = spawn(program, { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = once(child, 'exit')
  for (const operation of operations) child.stdin.write(`${JSON.stringify(operation)}\n`)
  child.stdin.end()
  return (await ended)[0] === 0
}

/**
 * Histories with one false response each, which Porcupine must reject.
 * @param {Operation[]} operations
 * @returns {[lie: string, operations: Operation[]][]}
 */
export function tampered(operations) {
  const replaced = new Set(operations.filter(({ kind }) => kind === 'replace').map(({ id }) => id))
  const won = operations.find(({ kind, outcome, id }) => kind === 'cancel' && outcome === 'done' && !replaced.has(id))
  const later = operations.findLast(({ kind, begin }) => kind === 'list' && begin > Number(won?.end))
  const kept = later?.shown?.[0]
  if (!won || !later?.shown || kept === undefined) throw new Error('the history has too little to tamper with')
  const replaceLater = (/** @type {number[]} */ shown) =>
    operations.map((each) => (each === later ? { ...later, shown } : each))
  const again = { ...won, begin: won.end ?? 0, end: (won.end ?? 0) + 1 }
  return [
    ['a second cancellation of an order', [...operations, won, again]],
    ['a list with a cancelled order', replaceLater([...later.shown, Number(won.id)])],
    ['a list without a pending order', replaceLater(later.shown.slice(1))],
  ]
}
