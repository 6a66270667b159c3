// The platform's fetch types, or unknown where the consumer's configuration lacks them: it compiles either way.

type Global<Name extends string> = typeof globalThis extends { [Key in Name]: { prototype: infer Type } }
  ? Type
  : unknown

export type PlatformAbortSignal = Global<'AbortSignal'>
export type PlatformFormData = Global<'FormData'>

/** The status and headers of a response. */
export interface ResponseHead {
  readonly status: number
  readonly headers: { get(name: string): string | null }
}

/** The part of a response of `fetch` that the client uses. */
export interface FetchResponse extends ResponseHead {
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** The second argument of `fetch`. */
export interface FetchInit {
  method: string
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: the types of bodies differ between implementations of fetch
  body: any
  signal: PlatformAbortSignal
  redirect: 'manual'
}

/** The part of `fetch` that the client uses. Those of undici and node-fetch fit, too. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>
