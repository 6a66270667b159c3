// The command line: --seed 1 --requests 100000 --only 123456 --part overload, or HOSTILE_SEED
import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'

const SEEDS = 2 ** 32
const PARTS = ['attack', 'overload']

/** @throws with the valid options */
export function readOptions(args = process.argv.slice(2), env = process.env) {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: env.HOSTILE_SEED || String(randomInt(SEEDS)) },
      requests: { type: 'string', default: '100000' },
      only: { type: 'string', multiple: true, default: [] },
      part: { type: 'string', multiple: true, default: PARTS },
      program: { type: 'string', default: 'dist/server.js' },
    },
  })
  const unknown = values.part.find((part) => !PARTS.includes(part))
  if (unknown !== undefined) throw new Error(`--part must be ${PARTS.join(' or ')}, not "${unknown}"`)
  return {
    seed: whole('seed', values.seed) % SEEDS,
    requests: whole('requests', values.requests),
    /** Numbers of connections, as in the findings. */
    only: values.only.flatMap((text) => text.split(',')).map((text) => whole('only', text)),
    /** Of these, overload needs the machine for itself: it compares servers by time. */
    parts: values.part,
    /** The server to run: a modified copy shows that the suite can fail. */
    program: values.program,
  }
}

function whole(name: string, text: string) {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`)
  return Number(text)
}
