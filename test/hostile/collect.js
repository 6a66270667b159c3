// Loaded into the server: SIGWINCH, which it leaves alone, collects garbage, so that what memory is left is in use.
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
process.on('SIGWINCH', runInNewContext('gc'))
