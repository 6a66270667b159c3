// The command line: --rounds 3 --seconds 1 --only get-10,delete --beside fastify-buffer --orders 10000 --again
import { parseArgs } from 'node:util'
import { rows } from './rows/index.js'

/** @throws with the valid options */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '1' },
      orders: { type: 'string' },
      only: { type: 'string', multiple: true },
      beside: { type: 'string', multiple: true },
      again: { type: 'boolean', default: false },
    },
  })
  const names = values.only?.flatMap((text) => text.split(','))
  const peers = values.beside
  const rowNames = rows.map(({ name }) => name)
  const peerNames = rows.flatMap(({ entries }) => entries.slice(1).map(({ name }) => name))
  checkNames('row', names, rowNames)
  checkNames('peer', peers, [...new Set(peerNames)])
  const limited = values.orders === undefined ? rows : rows.map(atMost(positive('orders', values.orders)))
  const chosen = peers ? limited.map(beside(peers)) : limited
  return {
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    again: values.again,
    /** With all peers and orders, so that the figures count for the report. */
    keepsParts: peers === undefined && values.orders === undefined,
    rows: names ? chosen.filter(({ name }) => names.includes(name)) : chosen,
  }
}

/** @throws with the valid names */
function checkNames(kind, given = [], known) {
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`no ${kind} "${unknown.join('", "')}". There are: "${known.join('", "')}"`)
}

/** For a quick check: its figures cannot be compared with the targets. */
const atMost = (limit) => (row) => ({
  ...row,
  title: row.orders > limit ? `${row.title}; here ${limit.toLocaleString('en')}` : row.title,
  orders: Math.min(limit, row.orders),
})

/** Only this server and the given peers; targets relative to other peers get no figure. */
const beside = (peers) => (row) => {
  const isPresent = (name) => peers.includes(name)
  return {
    ...row,
    entries: row.entries.filter(({ name }, index) => index === 0 || isPresent(name)),
    targets: row.targets.filter(({ of }) => !of || of.some(isPresent)),
  }
}

function positive(name, text) {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} must be a whole number of 1 or more, not "${text}"`)
  return Number(text)
}
