// For handlers that write their responses themselves.

export { type HeaderList, headerList } from './headers.ts'
export { createWriteScheduler, type WriteScheduler } from './write-scheduler.ts'
