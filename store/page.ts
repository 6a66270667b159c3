// An immutable page of orders: readers can keep one while the store changes.
import { hash } from 'node:crypto'

/** Orders are read and changed by the block of their position, `position >> BLOCK_BITS`, whatever page they are in. */
export const BLOCK_BITS = 10
export const BLOCK_SIZE = 1 << BLOCK_BITS

export interface OrderPage {
  /** The number of orders, without cancelled ones. */
  readonly count: number
  /** The length of the JSON, in bytes. */
  readonly length: number
  /** The orders as JSON objects, each preceded by a comma. The bytes are ASCII, and no value contains `}`. */
  json(): Buffer
  /** Equal for equal bytes, on every instance and after every restart. */
  hash(): string
}

const HASH_LENGTH = 22

/** 128 bits of SHA-256, as text. */
export function hashOf(bytes: Buffer | string): string {
  return hash('sha256', bytes, 'base64url').slice(0, HASH_LENGTH)
}

/** The pages of a list, which already are JSON: a list is too large to serialize for each reader. */
export class OrderList {
  readonly pages: readonly OrderPage[]

  constructor(pages: readonly OrderPage[]) {
    this.pages = pages
  }

  jsonText(): string {
    const orders = Buffer.concat(this.pages.map((page) => page.json()))
    return `[${orders.toString().slice(1)}]`
  }
}
