// Collects findings: a line for each kind on the terminal, the exact bytes in files.
import { writeFileSync } from 'node:fs'

/** @typedef {ReturnType<typeof newReport>} Report */

const FILES_PER_KIND = 3
const SHOWN_BYTES = 4000
/** Strings, numbers and identifiers, which differ between problems of one kind. */
const varying = /"(?:[^"\\]|\\.)*"|connections [\d, ]+|response \d+ of \d+|h-\w+|[\w-]{22}-\d+|-?\d{4,}/g

/** @param {string} folder which ends in a slash @param {number} seed */
export function newReport(folder, seed) {
  /** @type {Map<string, { count: number, first: string }>} */
  const found = new Map()

  /** @param {string} kind @param {string} problem @param {string} where its place, which is also the name of its file */
  function add(kind, problem, where) {
    const key = `${kind}: ${problem.replaceAll(varying, '…')}`
    const entry = found.get(key) ?? { count: 0, first: `${where}: ${problem}` }
    entry.count++
    found.set(key, entry)
    return entry.count <= FILES_PER_KIND
  }

  return {
    /** @param {string} kind @param {string[]} problems */
    general(kind, problems) {
      for (const problem of problems) add(kind, problem, kind)
    },
    /** @param {number} number @param {import('./types.js').Script} script @param {import('./types.js').Received} received @param {string[]} problems */
    connection(number, script, received, problems) {
      const isWritten = problems.map((problem) => add(script.kind, problem, `--only ${number}`)).includes(true)
      if (!isWritten) return
      const sent = script.pieces.map((piece) => (typeof piece === 'function' ? '(waits)' : shown(piece)))
      const text = [
        `seed ${seed}, connection ${number}, ${script.kind}`,
        ...problems,
        `sent, then ${script.end}:`,
        ...(sent.length > 100
          ? [shown(Buffer.concat(script.pieces.filter((piece) => typeof piece !== 'function')))]
          : sent),
        `expected:`,
        ...script.responses.map((response) =>
          JSON.stringify(response, (_name, value) => (typeof value === 'bigint' ? String(value) : value)),
        ),
        `received, then ${received.ended}:`,
        shown(received.bytes),
      ]
      writeFileSync(`${folder}${number}.txt`, `${text.join('\n')}\n`)
    },
    /** A line for each kind of problem. */
    lines: () => Array.from(found, ([, { count, first }]) => `${String(count).padStart(6)} x  ${first}`),
    count: () => found.size,
  }
}

/** Bytes as a JSON string, one character per byte. @param {Buffer} bytes */
function shown(bytes) {
  const text = JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES))
  return bytes.length > SHOWN_BYTES
    ? `${text} … ${bytes.length} bytes, the end: ${JSON.stringify(bytes.subarray(-500).toString('latin1'))}`
    : text
}
