// A store that cannot respond: its database is unreachable or overloaded, or an order is locked.

export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  /** When to retry. */
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterSeconds = retryAfterSeconds
  }
}
