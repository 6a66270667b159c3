// Requests and responses of any node:http server: one response for each request, in order, within limits.

export { BodyTooLargeError, receiveBody } from './body.ts'
export { type ConnectionLimitOptions, type ConnectionLimits, createConnectionLimits } from './connection-limits.ts'
export { type ConnectionError, rejectConnection, wasAborted } from './connections.ts'
export { type Rate, rateLimiter } from './gcra.ts'
export { hasBody } from './headers.ts'
export { type AttachOptions, attach, closeServer, serverOptions } from './server.ts'
