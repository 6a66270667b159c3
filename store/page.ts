// An immutable page of orders: readers can keep one while the store changes.

export interface OrderPage {
  /** The number of orders, without cancelled ones. */
  readonly count: number
  /**
   * The orders as JSON objects, each preceded by a comma. The bytes are ASCII, and no value contains `}`: stores cut
   * orders out of pages by their bytes.
   */
  json(): Buffer
  /** Equal for equal bytes, on every instance and after every restart. */
  hash(): string
}

/** The pages of a list, as a class that the contract plugin can tell from an array in a response. */
export class OrderList {
  readonly pages: readonly OrderPage[]

  constructor(pages: readonly OrderPage[]) {
    this.pages = pages
  }
}
