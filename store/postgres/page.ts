// A page of orders that the database wrote as JSON.
import { createHash } from 'node:crypto'
import type { OrderPage } from '../page.ts'

export interface PageRow {
  page: number
  /** Orders in the page, cancelled ones included; and of these, those shown. Both are int8, which arrives as text. */
  rows: string
  shown: string
  json: string | null
}

export function textPage({ shown, json }: PageRow): OrderPage {
  const bytes = Buffer.from(json ?? '', 'latin1')
  let hash: string | undefined
  return {
    count: Number(shown),
    json: () => bytes,
    hash() {
      hash ??= createHash('sha256').update(bytes).digest('base64url')
      return hash
    },
  }
}
