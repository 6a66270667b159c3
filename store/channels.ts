// Diagnostics channels, for metrics.
import { channel } from 'node:diagnostics_channel'

/** `json` or `gzip`, for each page that was encoded since it had changed. */
export const pageEncoded = channel('store-orders.page-encoded')

export interface Statement {
  name: string
  result: Promise<unknown>
}

/** Each statement as it is sent. */
export const statementSent = channel('store-orders.statement-sent')
