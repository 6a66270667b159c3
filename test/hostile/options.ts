// The command line: --seed 1 --requests 100000 --only 123456
import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'

const SEEDS = 2 ** 32

/** @throws if a value is not a number */
export function readOptions(args = process.argv.slice(2)) {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: String(randomInt(SEEDS)) },
      requests: { type: 'string', default: '100000' },
      only: { type: 'string', multiple: true, default: [] },
      program: { type: 'string', default: 'dist/server.js' },
    },
  })
  return {
    seed: whole('seed', values.seed) % SEEDS,
    requests: whole('requests', values.requests),
    /** Numbers of connections, as in the findings. */
    only: values.only.flatMap((text) => text.split(',')).map((text) => whole('only', text)),
    /** The server to run: a modified copy shows that the suite can fail. */
    program: values.program,
  }
}

function whole(name: string, text: string) {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`)
  return Number(text)
}
