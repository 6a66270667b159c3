// A page of orders: immutable, so whoever holds one may keep it while the store moves on.

export interface OrderPage {
  /** How many orders the page shows; cancelled ones are not shown. */
  readonly count: number
  /**
   * The shown orders as JSON objects, each preceded by a comma. The bytes are ASCII, and no value contains `}`: stores cut
   * orders out of pages by their bytes.
   */
  json(): Buffer
  /** Equal for equal bytes, on every instance and after every restart. */
  hash(): string
}

/** The pages of a list: a class, so that the contract recognizes it and sends it without serializing. */
export class OrderList {
  readonly pages: readonly OrderPage[]

  constructor(pages: readonly OrderPage[]) {
    this.pages = pages
  }
}
