// The program: handles signals, then loads the process, which takes a second.
import { createRequire } from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { stopOnSignals } from './signals.ts'

const require = createRequire(import.meta.url)

/** Starts the server, or exits with 1. Call it once: it handles the signals of the process. */
export async function start() {
  stopOnSignals()
  // Unlike import(), it opens one file at a time: there may be fewer descriptors than modules.
  await (require('./serve.ts') as typeof import('./serve.ts')).run()
}

/** True if `node server.ts` runs this file, whatever the spelling of its path. */
function isProgram([, program = '']: string[]): boolean {
  try {
    return require.resolve(program) === fileURLToPath(import.meta.url)
  } catch {
    return false // standard input, or --eval
  }
}

if (isProgram(process.argv)) await start()
