// Prints the median milliseconds of SELECT 1 through the server's pool, one at a time. Argument: seconds.
import process from 'node:process'
import { median } from '../statistics.js'

const WARM_UP = 500

/** Built only by then. */
const built = (file) => import(new URL(`../../dist/store/postgres/${file}.js`, import.meta.url).href)
const { openSessions } = await built('sessions')
const { parseConnectionString } = await built('connection-string')
const connection = parseConnectionString(process.env.DATABASE_URL, process.env)
const sessions = openSessions({ connection, poolSize: 10, timeout: 5000 })
const ask = () => sessions.run((session) => session.query({ name: 'one', text: 'SELECT 1' }))

for (let turn = 0; turn < WARM_UP; turn++) await ask()
const times = []
const end = performance.now() + 1000 * Number(process.argv[2])
for (let begin = performance.now(); begin < end; ) {
  await ask()
  const now = performance.now()
  times.push(now - begin)
  begin = now
}
await sessions.close()
console.log(median(times))
