// The command line: --rounds 5 --seconds 3 --only get-10,delete
import { parseArgs } from 'node:util'
import { rows } from './rows/index.js'

/** @throws with what may be given */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      only: { type: 'string', multiple: true },
    },
  })
  const names = values.only?.flatMap((text) => text.split(','))
  const unknown = names?.filter((name) => !rows.some((row) => row.name === name)) ?? []
  if (unknown.length > 0) {
    throw new Error(`no row "${unknown.join('", "')}". There are: ${rows.map(({ name }) => name).join(', ')}`)
  }
  return {
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    isWhole: names === undefined,
    rows: names ? rows.filter(({ name }) => names.includes(name)) : rows,
  }
}

function positive(name, text) {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} must be a whole number of 1 or more, not "${text}"`)
  return Number(text)
}
