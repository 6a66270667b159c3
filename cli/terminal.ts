import type { Readable, Writable } from 'node:stream'

/** The part of `process` that commands use. */
export interface Terminal {
  stdin: Readable
  stdout: Writable
  stderr: Writable
  env: NodeJS.ProcessEnv
  exitCode?: number | string | null | undefined
}

export function outputOf(terminal: Terminal) {
  return {
    /** Prints the lines, then an empty line and `last`, if any. */
    say(lines: string[], last = '') {
      terminal.stdout.write(`${[...lines, ...(last ? ['', last] : [])].join('\n')}\n`)
    },
    fail() {
      terminal.exitCode = 1
    },
  }
}
