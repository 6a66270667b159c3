#!/usr/bin/env node
import process from 'node:process'
import { run } from './run.ts'

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A reader such as head(1) may close the pipe early.
  if (code !== 'EPIPE') process.stderr.write(`store-orders: cannot write to stdout (${code})\n`)
  process.exit(1)
})

await run(process.argv.slice(2), process)
