// Loaded into the server: SIGWINCH, which it does not use, collects garbage, so that all remaining memory is in use. The
// flavor gives back the young generation as well (from Node.js 22), which may take 100 MiB without anything in it.
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGWINCH', () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }))
