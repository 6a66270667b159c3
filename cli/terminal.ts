import type { Readable, Writable } from 'node:stream'

/** The part of `process` that commands use. */
export interface Terminal {
  stdin: Readable
  stdout: Writable
  stderr: Writable
  env: NodeJS.ProcessEnv
  exitCode?: number | string | null | undefined
}
