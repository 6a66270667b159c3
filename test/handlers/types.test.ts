import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { handlers } from '../../handlers/index.ts'
import type { Handler, Handlers } from '../../handlers/types.ts'
import type { ReplyOf } from '../../packages/exact-openapi/src/operation-types.ts'
import { OrderList } from '../../store/page.ts'

const { getPetById, ...others } = handlers

type Reply<Id extends keyof Handlers> = Awaited<ReturnType<Handler<Id>>>

// Checked by tsc: of each group the first line compiles, and the others differ from it in one point each.

void ({ getPetById, ...others } satisfies Handlers)
// @ts-expect-error a missing handler
void (others satisfies Handlers)
// @ts-expect-error a handler for no operation
void ({ getPetById, getPetByName: getPetById, ...others } satisfies Handlers)

void ((async () => ({ status: 204 })) satisfies Handler<'cancelOrder'>)
// @ts-expect-error an undocumented status
void ((async () => ({ status: 202 })) satisfies Handler<'cancelOrder'>)

const body = { code: 'order_already_shipped', message: 'Too late.', status: 409 } as const
void ({ status: 409, body } satisfies Reply<'cancelOrder'>)

void ({ status: 200, body: { id: 504n } } satisfies Reply<'getPetById'>)
// @ts-expect-error no body
void ({ status: 200 } satisfies Reply<'getPetById'>)

void ({ status: 204 } satisfies Reply<'cancelOrder'>)
// @ts-expect-error a body where none is documented
void ({ status: 204, body: { id: 504n } } satisfies Reply<'cancelOrder'>)

void ({ status: 404, body: { code: 'pet_not_found', message: '', status: 404 } } satisfies Reply<'getPetById'>)
// @ts-expect-error an unknown error code
void ({ status: 404, body: { code: 'pet_is_missing', message: '', status: 404 } } satisfies Reply<'getPetById'>)

type Csv = ReplyOf<{ parameters: object; responses: { 200: { content: { 'text/csv': string } } } }>
void ({ status: 200, type: 'text/csv', body: Readable.from(['a,b']) } satisfies Csv)
void ({ status: 200, type: 'text/csv', body: new ReadableStream() } satisfies Csv)
// @ts-expect-error other media types may be sent as a stream, but not as any other iterable
void ({ status: 200, type: 'text/csv', body: (async function* () {})() } satisfies Csv)

void ((async () => ({ status: 200, body: new OrderList([]) })) satisfies Handler<'listOrders'>)
// @ts-expect-error the list is an OrderList
void ((async () => ({ status: 200, body: [] })) satisfies Handler<'listOrders'>)
// @ts-expect-error with this status
void ((async () => ({ status: 202, body: new OrderList([]) })) satisfies Handler<'listOrders'>)

type JsonOf<Type extends string> = { parameters: object; responses: { 200: { content: Record<Type, { id: bigint }> } } }
void ({ status: 200, type: 'text/json', body: { id: 1n } } satisfies ReplyOf<JsonOf<'text/json'>>)
// @ts-expect-error JSON of another name is a value, not a text
void ({ status: 200, type: 'text/json', body: '{"id":1}' } satisfies ReplyOf<JsonOf<'text/json'>>)
type Utf8 = 'application/json; charset=utf-8'
// @ts-expect-error with a parameter, too
void ({ status: 200, type: 'application/json; charset=utf-8', body: '{"id":1}' } satisfies ReplyOf<JsonOf<Utf8>>)

void ((async ({ path: { petId } }) => ({ status: 200, body: { id: petId } })) satisfies Handler<'getPetById'>)
// @ts-expect-error an unknown parameter
void ((async ({ path: { orderId } }) => ({ status: 200, body: { id: orderId } })) satisfies Handler<'getPetById'>)

// Headers are those of the document, and only JSON needs no name.
interface Sent {
  parameters: object
  responses: {
    200: { headers: { Link: string; [name: string]: unknown }; content: { 'application/json': { id: bigint } } }
    201: { headers: { [name: string]: unknown } }
    203: { headers: { [name: string]: unknown }; content: { 'image/*': string; '*/*': { id: bigint } } }
    202: {
      headers: { [name: string]: unknown }
      content: { 'text/csv': string; 'application/problem+json': { id: bigint } }
    }
  }
}
void ({ status: 200, body: { id: 1n }, headers: { Link: '</a>', link: '</b>' } } satisfies ReplyOf<Sent>)
// @ts-expect-error an undocumented header
void ({ status: 200, body: { id: 1n }, headers: { Location: '/a' } } satisfies ReplyOf<Sent>)
void ({ status: 201 } satisfies ReplyOf<Sent>)
// @ts-expect-error an undocumented header of a response without a body
void ({ status: 201, headers: { Location: '/a' } } satisfies ReplyOf<Sent>)
void ({ status: 202, type: 'text/csv', body: Buffer.from('a,b') } satisfies ReplyOf<Sent>)
void ({ status: 202, type: 'application/problem+json', body: { id: 1n } } satisfies ReplyOf<Sent>)
// @ts-expect-error JSON of another name is checked, too
void ({ status: 202, type: 'application/problem+json', body: { id: 1 } } satisfies ReplyOf<Sent>)
void ({ status: 203, type: 'image/png', body: Buffer.from('a') } satisfies ReplyOf<Sent>)
void ({ status: 203, type: 'application/json', body: { id: 1n } } satisfies ReplyOf<Sent>)
// @ts-expect-error one of a range is named
void ({ status: 203, body: { id: 1n } } satisfies ReplyOf<Sent>)
// @ts-expect-error no type
void ({ status: 202, body: 'a,b' } satisfies ReplyOf<Sent>)
