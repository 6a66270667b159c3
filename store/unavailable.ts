// A store that cannot answer at present: its database is away, or more is asked of it than it can take.

export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  /** When it makes sense to ask again. */
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterSeconds = retryAfterSeconds
  }
}
