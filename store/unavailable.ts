// A store that cannot respond at present: its database is down, or it is overloaded.

export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  /** When it makes sense to try again. */
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterSeconds = retryAfterSeconds
  }
}
