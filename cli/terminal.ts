// Terminal output besides the log: the keys generated for a run, the progress of loading.
import type { Progress } from '../store/memory/load.ts'

/** The part of `process` that commands use. */
export interface Terminal {
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  env: NodeJS.ProcessEnv
}

/** @throws unless there is one argument for each name, in this order */
export function onlyArguments(given: readonly string[], names: readonly string[]): string[] {
  const missing = names[given.length]
  if (missing !== undefined) throw new Error(`${missing} is missing; --help shows the usage`)
  if (given.length > names.length) throw new Error(`unexpected argument "${given[names.length]}"`)
  return [...given]
}

export type Report = (level: 'info' | 'warn' | 'error', message: string) => void

/** Buffers log messages until the log exists. */
export function earlyLog(): {
  write: Report
  flowTo(log: Record<'info' | 'warn' | 'error', (message: string) => void>): void
} {
  const held: Parameters<Report>[] = []
  let write: Report = (...line) => {
    held.push(line)
  }
  return {
    write: (level, message) => write(level, message),
    flowTo(log) {
      write = (level, message) => log[level](message)
      for (const line of held) write(...line)
    },
  }
}

/** Keeps one line of a terminal up to date; prints nothing elsewhere. */
export function progressLine(terminal: { isTTY?: boolean; write(text: string): unknown }, file: string): Progress {
  return (part, orders, isLast) => {
    if (!terminal.isTTY) return
    terminal.write(`\rLoading ${file}: ${Math.floor(part * 100)} %, ${orders.toLocaleString('en')} orders\x1b[K`)
    if (isLast) terminal.write('\n')
  }
}

/** The API key generated for this run, and a command to try it. `origin` is where the server listens. */
export function keyNotice(key: string, origin: string): string {
  return [
    '',
    'No API key is configured. This one is valid for this run:',
    '',
    key,
    '',
    `curl -H 'Authorization: Bearer ${key}' ${origin}/v1/store/orders`,
    '',
    '',
  ].join('\n')
}

/** The dashboard key generated for this run. */
export function dashboardNotice(key: string, origin: string): string {
  return `No key of the dashboard is configured. This one opens ${origin}/dashboard for this run:\n\n${key}\n\n`
}
