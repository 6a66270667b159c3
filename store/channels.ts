// Diagnostics channels, for metrics.
import { channel } from 'node:diagnostics_channel'

/** `json` or `gzip`, for each page that was encoded since it had changed. */
export const pageEncoded = channel('store-orders.page-encoded')

/** Each statement as it is sent: its name, and the promise of its result. */
export const statementSent = channel('store-orders.statement-sent')
