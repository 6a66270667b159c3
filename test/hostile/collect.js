// Loaded into the server: SIGWINCH, which it does not use, collects garbage, so that all remaining memory is in use.
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
process.on('SIGWINCH', runInNewContext('gc'))
