// What a number of orders, instances and requests needs, from the constants that bench/scaling/measure.js measured:
// node bench/scaling.js [--orders 1e6] [--instances 4] [--requests 1000] [--cancels 0.02] [--lists 0.05]
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { needsOf } from './scaling/model.js'

const { constants } = JSON.parse(readFileSync(new URL('scaling/constants.json', import.meta.url), 'utf8'))
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1e3,1e4,1e5,1e6,1e7,1e8' },
    instances: { type: 'string', default: '2' },
    requests: { type: 'string', default: '1000' },
    cancels: { type: 'string', default: '0.02' },
    lists: { type: 'string', default: '0.05' },
  },
})
const columns = {
  orders: 'orders',
  instances: 'instances',
  requests: 'requests/s',
  serverCores: 'cores of the instances',
  databaseCores: 'cores of the primary',
  listMegabytes: 'list, MB',
  networkMegabytes: 'sent, MB/s',
  memoryMegabytes: 'memory of an instance, MB',
  coldSeconds: 'first list, s of CPU',
  logMegabytes: 'log, MB',
  connections: 'connections',
}
const numbersIn = (/** @type {string} */ text) =>
  text.split(',').map((each) => {
    const number = Number(each)
    if (!(number >= 0)) throw new Error(`"${each}" is not a number: give one or several, separated by commas`)
    return number
  })
const rounded = (/** @type {number} */ value) =>
  (value >= 100 ? Math.round(value) : Number(value.toPrecision(2))).toLocaleString('en')

console.log(`| ${Object.values(columns).join(' | ')} |`)
console.log(`|${'--:|'.repeat(Object.keys(columns).length)}`)
for (const orders of numbersIn(values.orders))
  for (const instances of numbersIn(values.instances))
    for (const requests of numbersIn(values.requests)) {
      const load = { orders, instances, requests, cancels: Number(values.cancels), lists: Number(values.lists) }
      /** @type {Record<string, number>} */
      const row = { ...load, ...needsOf(constants, load) }
      console.log(
        `| ${Object.keys(columns)
          .map((name) => rounded(row[name] ?? Number.NaN))
          .join(' | ')} |`,
      )
    }
