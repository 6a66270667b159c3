// The platform's fetch types, or unknown where the consumer's configuration lacks them: it compiles either way.

type Global<Name extends string> = typeof globalThis extends { [Key in Name]: { prototype: infer Type } }
  ? Type
  : unknown

export type PlatformRequest = Global<'Request'>
export type PlatformResponse = Global<'Response'>
export type PlatformAbortSignal = Global<'AbortSignal'>
export type PlatformFormData = Global<'FormData'>

/** The status and headers of a response. */
export interface ResponseHead {
  readonly status: number
  readonly headers: { get(name: string): string | null }
}
