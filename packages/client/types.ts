// Types of the methods in operations.ts, and of the table that they are made from.
import type { operations } from '../../spec/openapi.d.ts'
import type { PlatformAbortSignal, PlatformFormData, ResponseHead } from './platform.ts'

/** How many requests the key has left, and in how many seconds it gets more. */
export interface RateLimit {
  readonly remaining: number
  readonly resetSeconds: number
}

/** The status and headers of a response. */
export interface ResponseInfo {
  readonly status: number
  /** The `X-Request-Id`, by which the operator of the API finds the request in the log. */
  readonly requestId: string | undefined
  readonly rateLimit: RateLimit | undefined
  readonly attempts: number
  /** All headers, such as an `ETag` or a `Link`. */
  readonly headers: ResponseHead['headers']
}

export interface CallOptions {
  /** Ends the call, including waits between its attempts: it then rejects with the reason of the signal. */
  signal?: PlatformAbortSignal | undefined
  /** Called with what the response says besides its body, whether the call then resolves or rejects. */
  onResponse?: ((info: ResponseInfo) => void) | undefined
}

type Id = keyof operations
type Parameters<Key extends Id> = Required<operations[Key]['parameters']>

/** The parameters in the path: an argument each. */
export type PathOf<Key extends Id> = Parameters<Key>['path']

/**
 * The last argument. Parameters stay within `query` and `headers`, where they cannot clash with an option of the call.
 * `Type` is the media type of the body.
 */
export type OptionsOf<Key extends Id, Type = unknown> = InputOfOperation<operations[Key], Type> & CallOptions

/** Query, headers and body. Each is optional unless it has a required field. */
export type InputOfOperation<
  Described extends { parameters: { query?: unknown; header?: unknown } },
  Type = unknown,
> = Part<'query', Required<Described['parameters']>['query']> &
  Part<'headers', Required<Described['parameters']>['header']> &
  (Described extends { requestBody: { content: infer Content } }
    ? { readonly body: SentOf<Content, Type> }
    : Described extends { requestBody?: { content: infer Content } }
      ? { readonly body?: SentOf<Content, Type> }
      : unknown)

/** JSON and forms as values, a form with files as a FormData, all else as it is. */
type SentOf<Content, Type> = {
  [Key in keyof Content & Type]: Key extends Json | `application/x-www-form-urlencoded${string}`
    ? Content[Key]
    : Key extends `multipart/form-data${string}`
      ? Content[Key] | PlatformFormData
      : string | Uint8Array
}[keyof Content & Type]

type Json = `${string}/json` | `${string}+json` | `${string}/json;${string}` | `${string}+json;${string}`

type Part<Name extends string, Fields> = [Fields] extends [never]
  ? unknown
  : Partial<Fields> extends Fields
    ? { readonly [Key in Name]?: Fields }
    : { readonly [Key in Name]: Fields }

/** The body of a success; undefined without one. */
export type BodyOf<Key extends Id, Status extends keyof operations[Key]['responses']> = Status extends unknown
  ? operations[Key]['responses'][Status] extends { content: infer Content }
    ? ReceivedOf<Content>
    : undefined
  : never

/** JSON as values, if there is any; texts as a string; all else as bytes. */
type ReceivedOf<Content> = [keyof Content & Json] extends [never]
  ? { [Type in keyof Content]: Type extends `text/${string}` ? string : Uint8Array }[keyof Content]
  : Readonly<Content[keyof Content & Json]>

/** The schema keywords that the client uses. */
export interface Schema {
  $ref?: string
  type?: string
  format?: string
  nullable?: boolean
  enum?: readonly unknown[]
  required?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: Readonly<Record<string, Schema>>
  additionalProperties?: Schema
  items?: Schema
  allOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  prefixItems?: readonly Schema[]
  /** The property that names an alternative, and the values of each. */
  discriminator?: readonly [name: string, ...values: (readonly string[])[]]
}

export interface Operation {
  method: string
  path: string
  /** The path parameters, in the order of the path. */
  parameters: readonly { name: string; schema: Schema }[]
  /** Arrays of the query that are joined by commas. */
  joined?: readonly string[]
  /** The media type of the body. */
  type?: string
  /** Whether it has a 304. */
  hasETag?: boolean
  /** The schema of each media type of each success, of a range such as `2XX`, or `default`. */
  responses: Readonly<Record<string, Content>>
}

/** The schemas of a body, by media type. */
export type Content = Readonly<Record<string, Schema>>

/** Made from a document. */
export interface Table<Name extends string> {
  operations: Readonly<Record<Name, Operation>>
  schemas: Readonly<Record<string, Schema>>
}
