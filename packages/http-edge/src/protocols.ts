// For a server of another protocol, such as HTTP/2, that hands its requests to a listener for HTTP/1.1.

export { bodyFailed, deferContinue, failBody, markAborted, sendContinue } from './connections.ts'
export { MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from './server.ts'
export { hostHeaders, splitTarget } from './target.ts'
