// Keeps process.nextTick fast, which Node calls several times for each request.
//
// The objects of its queue have one hidden class. V8 drops a class that no object has during a few full garbage collections,
// such as those of a long start. Each later call then defines the first two properties by the runtime instead of in compiled
// code, and takes five times as long, until the process ends. One object of the class prevents that.
import { AsyncResource } from 'node:async_hooks'

const [asyncId = '', triggerId = ''] = Object.getOwnPropertySymbols(new AsyncResource('tick'))

/** With the properties of Node's, in their order. There, too, the ids are doubles. If Node's differ, this has no effect. */
export const tickObject = { [asyncId]: 0.5, [triggerId]: 0.5, callback: () => {}, args: undefined }
