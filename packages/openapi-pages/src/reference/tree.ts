// The reference documentation as data: the document with its references resolved, in reading order. Every part has an
// id, which is its fragment in the HTML:
//
//   errors                          a section of the guide, a slug of its heading
//   errors-order_not_found          a row of a table in it, if the row begins with a code
//   tag-store                       a group of operations
//   listOrders                      an operation
//   cancelOrder-orderId             a parameter
//   createOrder-body                a request body, createOrder-body-quantity a field of it
//   cancelOrder-409                 a response
//   responses, responses-503        the errors that every operation can return, stated once
//   headers, headers-ETag           the headers of the responses, stated once
//   webhooks, onShipped             the requests that the API sends
//   security, security-apiKey       how requests are authorized
//   schemas, schema-Order           the schemas
//   schema-Order-shipDate           a field
//
// Texts are Markdown unless stated otherwise. The types follow from what read.ts returns.
import type { OperationPart } from './operation.ts'
import type { readReference } from './read.ts'

export type { Alternative, Content, Field } from './fields.ts'
export type { Type } from './types.ts'

export type Reference = ReturnType<typeof readReference>
export type Server = Reference['servers'][number]
export type Section = Reference['guide'][number]
export type Group = Reference['groups'][number]
export type { OperationPart } from './operation.ts'
export type Badge = OperationPart['badges'][number]
export type ResponsePart = OperationPart['responses'][number]
export type BodyPart = NonNullable<OperationPart['body']>
/** A body as one media type has it. */
export type Format = ResponsePart['formats'][number]
export type SchemePart = Reference['schemes'][number]
export type SchemaPart = ReturnType<Reference['schemas'][number]['part']>
