// A store that cannot respond: its database is unreachable or overloaded, or an order is locked.

export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  /** When to retry. */
  readonly retryAfterSeconds: number
  /** What is not available, as named in the response. */
  readonly subject: string

  constructor(message: string, retryAfterSeconds: number, options: ErrorOptions & { subject?: string } = {}) {
    super(message, options)
    this.retryAfterSeconds = retryAfterSeconds
    this.subject = options.subject ?? 'orders'
  }
}
