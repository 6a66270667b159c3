#!/usr/bin/env node
import process from 'node:process'
import { stopOnSignals } from '../signals.ts'

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A reader such as head(1) may close the pipe early.
  if (code !== 'EPIPE') process.stderr.write(`store-orders: cannot write to stdout (${code})\n`)
  process.exit(1)
})

const args = process.argv.slice(2)
if (args[0] === 'serve') stopOnSignals() // before the other modules, which take a while to load
const { run } = await import('./run.ts')
await run(args, process)
