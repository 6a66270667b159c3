// The command line: --rounds 5 --seconds 3 --only get-10,delete --orders 10000
import { parseArgs } from 'node:util'
import { rows } from './rows/index.js'

/** @throws with what may be given */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      orders: { type: 'string' },
      only: { type: 'string', multiple: true },
    },
  })
  const names = values.only?.flatMap((text) => text.split(','))
  const unknown = names?.filter((name) => !rows.some((row) => row.name === name)) ?? []
  if (unknown.length > 0) {
    throw new Error(`no row "${unknown.join('", "')}". There are: ${rows.map(({ name }) => name).join(', ')}`)
  }
  const chosen = values.orders === undefined ? rows : rows.map(atMost(positive('orders', values.orders)))
  return {
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    isWhole: names === undefined && values.orders === undefined,
    rows: names ? chosen.filter(({ name }) => names.includes(name)) : chosen,
  }
}

/** For a quick check: its figures say nothing of the targets. */
const atMost = (limit) => (row) => ({
  ...row,
  title: row.orders > limit ? `${row.title}; here ${limit.toLocaleString('en')}` : row.title,
  orders: Math.min(limit, row.orders),
})

function positive(name, text) {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} must be a whole number of 1 or more, not "${text}"`)
  return Number(text)
}
