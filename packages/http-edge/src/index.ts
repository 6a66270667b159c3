// Requests and responses of any node:http server: one response for each request, in order, within limits.

export { BodyTooLargeError, MAX_BODY_BYTES, MAX_DISCARDED_BYTES, receiveBody } from './body.ts'
export { addressLimited, heldResources, requestRejected, requestShed, shedReasons } from './channels.ts'
export { type ConnectionLimitOptions, type ConnectionLimits, createConnectionLimits } from './connection-limits.ts'
export {
  bodyFailed,
  type ConnectionError,
  deferContinue,
  failBody,
  markAborted,
  rejectConnection,
  sendContinue,
  wasAborted,
} from './connections.ts'
export { type Rate, rateLimiter } from './gcra.ts'
export { type HeaderList, hasBody, headerList } from './headers.ts'
export { isNotModified, preferredEncoding, preferredType, varying } from './negotiate.ts'
export { addressOf, memberOf, networkOf } from './network.ts'
export { ProxyAgent, type ProxyEnv } from './proxy-agent.ts'
export { closeServer, MAX_HEADER_BYTES, MAX_HEADER_FIELDS, serverOptions, serveWith } from './server.ts'
export { hostHeaders, splitTarget } from './target.ts'
export { queueFirstWrite, queueNextWrite } from './turns.ts'
