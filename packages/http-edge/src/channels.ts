// Diagnostics channels for metrics.
import { channel } from 'node:diagnostics_channel'

/** The status of the response to input that Node's parser rejects. */
export const requestRejected = channel('http-edge.request-rejected')

/** A response whose head `hijackWithHead` has written, without onSend hooks. */
export const headWritten = channel('http-edge.head-written')

/** The reason why a request was rejected to shed load. */
export const requestShed = channel('http-edge.request-shed')

/** What requests wait for: the event loop, or large responses. */
export const shedReasons = ['event_loop', 'responses'] as const

/** The resource of which an address already held its share when it wanted more. */
export const addressLimited = channel('http-edge.address-limited')

/** What addresses hold: connections, and requests whose body is incomplete. */
export const heldResources = ['connections', 'bodies'] as const
