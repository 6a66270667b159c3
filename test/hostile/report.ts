// Collects findings: a line for each kind on the terminal, the exact bytes in files.
import { writeFileSync } from 'node:fs'
import type { Received, Script } from './types.ts'

export type Report = ReturnType<typeof newReport>

const FILES_PER_KIND = 3
const SHOWN_BYTES = 4000
/** Strings, numbers and identifiers, which differ between problems of one kind. */
const varying = /"(?:[^"\\]|\\.)*"|connections [\d, ]+|response \d+ of \d+|h-\w+|[\w-]{22}-\d+|-?\d{4,}/g

/** @param folder which ends in a slash */
export function newReport(folder: string, seed: number) {
  const found: Map<string, { count: number; first: string }> = new Map()

  /** @param where its place, which is also the name of its file */
  function add(kind: string, problem: string, where: string) {
    const key = `${kind}: ${problem.replaceAll(varying, '…')}`
    const entry = found.get(key) ?? { count: 0, first: `${where}: ${problem}` }
    entry.count++
    found.set(key, entry)
    return entry.count <= FILES_PER_KIND
  }

  return {
    general(kind: string, problems: string[]) {
      for (const problem of problems) add(kind, problem, kind)
    },
    connection(number: number, script: Script, received: Received, problems: string[]) {
      const isWritten = problems.map((problem) => add(script.kind, problem, `--only ${number}`)).includes(true)
      if (!isWritten) return
      const sent = script.pieces.map((piece) => (typeof piece === 'function' ? '(waits)' : shown(piece)))
      const whole = () => [shown(Buffer.concat(script.pieces.filter((piece) => typeof piece !== 'function')))]
      const plain = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
      const text = [
        ...[`seed ${seed}, connection ${number}, ${script.kind}`, ...problems],
        ...[`sent, then ${script.end}:`, ...(sent.length > 100 ? whole() : sent)],
        ...['expected:', ...script.responses.map((response) => JSON.stringify(response, plain))],
        ...[`received, then ${received.ended}:`, shown(received.bytes)],
      ]
      writeFileSync(`${folder}${number}.txt`, `${text.join('\n')}\n`)
    },
    /** A line for each kind of problem. */
    lines: () => Array.from(found, ([, { count, first }]) => `${String(count).padStart(6)} x  ${first}`),
    count: () => found.size,
  }
}

/** Bytes as a JSON string, one character per byte. */
function shown(bytes: Buffer) {
  const text = JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES))
  return bytes.length > SHOWN_BYTES
    ? `${text} … ${bytes.length} bytes, the end: ${JSON.stringify(bytes.subarray(-500).toString('latin1'))}`
    : text
}
