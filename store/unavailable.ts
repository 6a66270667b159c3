// A store that cannot respond at present: its database is down, or it is overloaded.

export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  /** When it makes sense to try again. */
  readonly retryAfterSeconds: number
  /** What cannot be reached, for clients. */
  readonly subject: string

  constructor(message: string, retryAfterSeconds: number, options: ErrorOptions & { subject?: string } = {}) {
    super(message, options)
    this.retryAfterSeconds = retryAfterSeconds
    this.subject = options.subject ?? 'orders'
  }
}
