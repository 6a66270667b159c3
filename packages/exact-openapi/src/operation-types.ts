// The types of an operation's input, replies and handler, derived from the generated types of any document.
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'

interface Described {
  parameters: { path?: unknown; query?: unknown; header?: unknown; cookie?: unknown }
  requestBody?: unknown
  /** One of the alternatives. */
  security?: unknown
  responses: object
}

type Request = Omit<Described, 'responses'>

/** What the document describes for each part of a request; a part that it does not describe is absent. */
type InputOf<Operation extends Request, IsStream> = Part<'path', Operation['parameters']['path']> &
  Part<'query', Operation['parameters']['query']> &
  Part<'headers', Operation['parameters']['header']> &
  Part<'cookies', Operation['parameters']['cookie']> &
  (IsStream extends true ? UploadOf<Operation['requestBody']> : BodyOf<Operation['requestBody']>)

type Part<Name extends string, Fields> = [Exclude<Fields, undefined>] extends [never]
  ? unknown
  : { readonly [Key in Name]: Readonly<Exclude<Fields, undefined>> }

type BodyOf<RequestBody> = [Exclude<RequestBody, undefined>] extends [{ content: infer Content }]
  ? undefined extends RequestBody
    ? { readonly body?: Content[keyof Content] }
    : { readonly body: Content[keyof Content] }
  : unknown

/**
 * A text has a value in the type of its property, one item of a list. The body of a file has to be read before the next part is
 * taken. `Body` has the properties that the document lists.
 */
export type UploadPart<Body = Record<string, unknown>> = {
  [Name in keyof Body & string]-?: PartOf<Name, Single<Exclude<Body[Name], null | undefined>>>
}[keyof Body & string]
type Single<Value> = Value extends readonly (infer Item)[] ? Item : Value
/** A file may be sent without its name, too: as bytes. */
type PartOf<Name, Value> =
  | { name: Name; value: Value }
  | (Uint8Array extends Value ? { name: Name; filename: string; type: string; body: Readable } : never)

/** Of an operation whose body is a stream. */
type UploadOf<RequestBody> = [Exclude<RequestBody, undefined>] extends [{ content: infer Content }]
  ? undefined extends RequestBody
    ? { readonly body?: StreamOf<Content>[keyof Content] }
    : { readonly body: StreamOf<Content>[keyof Content] }
  : unknown
type StreamOf<Content> = {
  [Type in keyof Content]: Type extends 'multipart/form-data'
    ? AsyncIterable<UploadPart<Listed<Content[Type]>>>
    : Readable
}
/** A form without listed properties may have any. */
type Listed<Body> = [KnownKeys<Body>] extends [never]
  ? Record<string, unknown>
  : Pick<Body, KnownKeys<Body> & keyof Body>

/** What the guards of the accepted alternative returned; those that are hooks return nothing. */
type AuthOf<Security, Guards> = [keyof Guards] extends [never] ? unknown : PerAlternative<Security, Guards>
type PerAlternative<Security, Guards> = Security extends unknown
  ? [Checked<Security, Guards>] extends [never]
    ? { readonly auth?: undefined }
    : { readonly auth: { readonly [Scheme in Checked<Security, Guards>]: IdentityOf<Guards[Scheme]> } }
  : never
type Checked<Security, Guards> = {
  [Scheme in keyof Guards]: Scheme extends keyof Security
    ? [IdentityOf<Guards[Scheme]>] extends [never]
      ? never
      : Scheme
    : never
}[keyof Guards]
type IdentityOf<Guard> = Guard extends (use: never) => (...credential: never) => infer Identity
  ? Awaited<Identity>
  : never

/** One of the documented responses. */
export type ReplyOf<Operation extends Described> = {
  [Status in keyof Operation['responses']]: { status: StatusOf<Status> } & HeadersOf<Operation['responses'][Status]> &
    MediaOf<Operation['responses'][Status]>
}[keyof Operation['responses']]

type StatusOf<Status> = Status extends number
  ? Status
  : Status extends `${infer First}XX`
    ? NumberOf<`${First}${Digit}${Digit}`>
    : Status extends 'default'
      ? number
      : never
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never

/** Headers by their documented names, or in lower case. */
type HeadersOf<Response> = Response extends { headers: infer Headers }
  ? [KnownKeys<Headers>] extends [never]
    ? { headers?: never }
    : {
        headers?: Readonly<
          Partial<Record<KnownKeys<Headers> | Lowercase<KnownKeys<Headers>>, string | readonly string[]>>
        >
      }
  : { headers?: never }

/** The generated types of headers allow any other name as well. */
type KnownKeys<Type> = keyof { [Key in keyof Type as string extends Key ? never : Key]: unknown } & string

/** JSON is a value, and `application/json` needs no name; every other type may be sent as text, bytes or a stream. */
type MediaOf<Response> = Response extends { content: infer Content }
  ? {
      [Type in keyof Content]: Type extends 'application/json'
        ? { type?: Type; body: Content[Type] }
        : Type extends Json | `${Json};${string}`
          ? { type: Type; body: Content[Type] }
          : { type: Named<Type>; body: SentAs<Type, Content[Type]> }
    }[keyof Content]
  : { body?: never }

type SentAs<Type, Content> = Exclude<Content, ListOf<Type>> | string | Uint8Array | Stream | ItemsOf<Type, Content>

type JsonItems = 'application/jsonl' | 'application/x-ndjson' | 'application/json-seq'

/** The document describes what is sent item by item as a list. */
type ListOf<Type> = Type extends JsonItems | 'text/event-stream' ? readonly unknown[] : never

type ItemsOf<Type, Content> = Type extends JsonItems
  ? AsyncIterable<ItemOf<Content>>
  : Type extends 'text/event-stream'
    ? AsyncIterable<EventOf<ItemOf<Content>>>
    : never
type ItemOf<Content> = Content extends readonly (infer Item)[] ? Item : unknown
/** Data that is no text becomes JSON. */
type EventOf<Event> = Event extends { data?: unknown } ? Omit<Event, 'data'> & { data?: unknown } : Event

/** A stream of Node.js or of the web, as Fastify tells them; it does not send other iterables. */
type Stream = { pipe: unknown } | { getReader: unknown }

type Json = `${string}/json` | `${string}+json`

/** One of a range. */
type Named<Type> = Type extends `${infer Kind}/*`
  ? Kind extends '*'
    ? `${string}/${string}`
    : `${Kind}/${string}`
  : Type

/**
 * Exactly one handler for each operation: it takes what the document describes and returns one of its responses.
 * `Received` has the requests that differ from what clients send, `Guards` is the type of the option `guards`, and `Streams`
 * names the operations of the option `streams`.
 */
export type HandlersOf<
  Operations extends Record<keyof Operations, Described>,
  Received extends Record<keyof Received, Request>,
  Services,
  Guards = unknown,
  Streams extends keyof Operations = never,
> = {
  readonly [Id in keyof Operations]: (
    input: InputOf<Id extends keyof Received ? Received[Id] : Operations[Id], Id extends Streams ? true : false> &
      AuthOf<Operations[Id]['security'], Guards>,
    services: Services,
    request: FastifyRequest,
  ) => ReplyOf<Operations[Id]> | Promise<ReplyOf<Operations[Id]>>
}
