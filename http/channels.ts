// Diagnostics channels for metrics.
import { channel } from 'node:diagnostics_channel'

/** The reason why a request was rejected to shed load. */
export const requestShed = channel('store-orders.request-shed')

/** What requests wait for: the event loop, or large responses. */
export const shedReasons = ['event_loop', 'responses'] as const
