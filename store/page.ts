// A page of orders: immutable, so whoever holds one may keep it while the store moves on.

export interface OrderPage {
  /** How many orders the page shows; cancelled ones are not shown. */
  readonly count: number
  /** The shown orders as JSON objects, each with a comma before it: what follows other orders in an array. */
  json(): Buffer
  /** Equal for equal bytes, on every instance and after every restart. */
  hash(): string
}

/** The pages of a list, which the router distinguishes from arrays that an operation returns. */
export class OrderList {
  readonly pages: readonly OrderPage[]

  constructor(pages: readonly OrderPage[]) {
    this.pages = pages
  }
}
