// Prints the seconds in which the server loads a file of orders.
import process from 'node:process'
import { loadOrders } from '../../dist/store/memory/load.js'

const begin = performance.now()
await loadOrders(process.argv[2])
console.log((performance.now() - begin) / 1000)
