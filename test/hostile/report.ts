// Collects findings: a line for each on the terminal, the exact bytes in files.
import { writeFileSync } from 'node:fs'
import type { Received, Script } from './types.ts'

export type Report = ReturnType<typeof newReport>

/** A connection that is over. */
export interface Played {
  script: Script
  received: Received
}

const FILES_PER_FINDING = 3
const SHOWN_BYTES = 4000

/** @param folder which ends in a slash */
export function newReport(folder: string) {
  const lines: string[] = []
  return {
    lines,
    /** @param connections that may have caused them */
    add(where: string, problems: string[], connections: Played[] = []) {
      if (problems.length === 0) return
      const files = connections.slice(-FILES_PER_FINDING).map((played, index) => {
        const file = `${folder}${lines.length}-${index}.txt`
        writeFileSync(file, `${problems.join('\n')}\n${textOf(played)}\n`)
        return file
      })
      lines.push([`${where}: ${problems.join('; ')}`, ...files].join('\n  '))
    },
  }
}

function textOf({ script, received }: Played) {
  const sent = script.pieces.map((piece) => (typeof piece === 'function' ? '(waits)' : shown(piece)))
  const plain = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return [
    ...[script.kind, `sent, then ${script.end}:`, ...sent, 'expected:'],
    ...script.responses.map((response) => JSON.stringify(response, plain)),
    ...[`received, then ${received.ended}:`, shown(received.bytes)],
  ].join('\n')
}

/** Bytes as a JSON string, one character per byte. */
function shown(bytes: Buffer) {
  const text = JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES))
  const end = JSON.stringify(bytes.subarray(-500).toString('latin1'))
  return bytes.length > SHOWN_BYTES ? `${text} … ${bytes.length} bytes, the end: ${end}` : text
}
