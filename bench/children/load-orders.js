// Prints the seconds that the server takes to load an orders file.
import process from 'node:process'

/** Not a static import: the build creates it. */
const loader = new URL('../../dist/store/memory/load.js', import.meta.url).href
const { loadOrders } = await import(loader)
const begin = performance.now()
await loadOrders(process.argv[2])
console.log((performance.now() - begin) / 1000)
