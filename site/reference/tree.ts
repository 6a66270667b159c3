// The reference documentation as data: the document with its references resolved, in reading order. Every part has an
// id, which is its fragment in the HTML:
//
//   errors                          a section of the guide, a slug of its heading
//   errors-order_not_found          a row of a table in it, if the row begins with a code
//   tag-store                       a group of operations
//   listOrders                      an operation
//   cancelOrder-orderId             a parameter
//   cancelOrder-409                 a response
//   responses, responses-503        the errors that every operation can return, stated once
//   headers, headers-ETag           the headers of the responses, stated once
//   schemas, schema-Order           the schemas
//   schema-Order-shipDate           a field
//
// Texts are Markdown unless stated otherwise.

export interface Reference {
  title: string
  version: string
  /** The first line of the description. */
  summary: string
  license: { name: string; url: string | undefined } | undefined
  servers: readonly Server[]
  /** The description before its first heading. */
  introduction: string
  guide: readonly Section[]
  groups: readonly Group[]
  /** Errors that every operation can return in the same way. */
  responses: readonly ResponsePart[]
  /** Of all responses. */
  headers: readonly Field[]
  /** The names of those that every operation's first response has. */
  commonHeaders: readonly string[]
  schemas: readonly SchemaPart[]
}

export interface Server {
  url: string
  description: string
}

export interface Section {
  id: string
  title: string
  text: string
}

export interface Group {
  id: string
  name: string
  description: string
  operations: readonly OperationPart[]
}

export interface OperationPart {
  id: string
  method: string
  path: string
  summary: string
  description: string
  badges: readonly Badge[]
  /** For a deprecated operation, a sentence with its dates. */
  notice: string | undefined
  isTryable: boolean
  parameters: readonly Field[]
  samples: readonly Sample[]
  /** Without the errors that every operation can return. */
  responses: readonly ResponsePart[]
}

/** `stability`, `deprecated` or `sunset`, in plain words. */
export interface Badge {
  kind: string
  text: string
}

export interface Sample {
  /** The name of the syntax, such as `Shell`. */
  lang: string
  label: string
  source: string
}

export interface ResponsePart {
  id: string
  status: string
  /** The reason phrase of the status: `Not Found`. */
  reason: string
  description: string
  /** Names, without the common ones. */
  headers: readonly string[]
  type: Type | undefined
  examples: readonly Example[]
}

export interface Example {
  name: string
  summary: string
  /** JSON. */
  text: string
}

/** A parameter, a header or a property. */
export interface Field {
  id: string
  name: string
  type: Type
  isRequired: boolean
  description: string
  /** JSON, or plain text for a string. */
  example: string | undefined
}

/** A type in words. */
export interface Type {
  /** `64-bit integer`; of an array, the type of its items. */
  name: string
  isArray: boolean
  /** The schema of that name. */
  schemaId: string | undefined
  /** `−128 to 127`, `pattern ^@\d+$`: plain text. */
  constraints: readonly string[]
  /** The known values; later versions may add some. */
  values: readonly string[]
}

export interface SchemaPart {
  id: string
  name: string
  description: string
  type: Type
  fields: readonly Field[]
  example: string | undefined
}
