// Keeps process.nextTick fast, which Node calls several times for each request.
//
// The objects of its queue have one hidden class. V8 drops a class that no object has during a few full garbage collections,
// such as those of a long start. Each later call then defines the first properties by the runtime instead of in compiled
// code, and takes at least five times as long, until the process ends. One object of the class prevents that.
import { executionAsyncResource } from 'node:async_hooks'
import process from 'node:process'

/** Of the queue itself, as its properties differ between versions of Node. */
export let tickObject: object | undefined
process.nextTick(() => {
  tickObject = executionAsyncResource()
})
