// Bodies that are sent item by item: server-sent events, JSON lines and JSON text sequences.
import { Readable } from 'node:stream'
import { stringify } from 'lossless-json'
import { essenceOf } from '../../media-types.ts'
import { parseExact } from '../json.ts'

/** An event of text/event-stream (HTML, "Server-sent events"): its data is a text, or a value that becomes JSON. */
interface ServerSentEvent {
  data?: unknown
  event?: string
  id?: string
  retry?: number
}

const writers: Record<string, (item: unknown) => string> = {
  'text/event-stream': (item) => eventText(item as ServerSentEvent),
  'application/jsonl': (item) => `${stringify(item)}\n`,
  'application/x-ndjson': (item) => `${stringify(item)}\n`,
  'application/json-seq': (item) => `\x1e${stringify(item)}\n`, // RFC 7464
}

export const isItemsType = (type: string) => Object.hasOwn(writers, essenceOf(type))
export const isEventStream = (type: string) => essenceOf(type) === 'text/event-stream'
/** Whether a body of the type consists of JSON. */
export const isJsonItems = (type: string) => isItemsType(type) && !isEventStream(type)

/** Whether a body is one of these, and no stream of bytes. */
export function isItems(type: string, body: unknown): body is AsyncIterable<unknown> {
  const { pipe, getReader } = Object(body)
  return isItemsType(type) && Symbol.asyncIterator in Object(body) && !pipe && !getReader
}

/** An item as the document describes it: OpenAPI 3.2 has the data of an event as text. */
export function describedItem(type: string, item: unknown): unknown {
  if (!isEventStream(type)) return item
  const { data, ...fields } = item as ServerSentEvent
  return data === undefined ? fields : { ...fields, data: textOf(data) }
}

/** The items of a body that was received as JSON. */
export function itemsIn(type: string, text: string): unknown[] {
  const separator = essenceOf(type) === 'application/json-seq' ? '\x1e' : /\r?\n/
  return text.split(separator).flatMap((one) => (one.trim() === '' ? [] : [parseExact(one)]))
}

/** Takes the next item when the client has read the one before, and none once the client is gone. */
export function streamOf(type: string, items: AsyncIterable<unknown>): Readable {
  const write = writers[essenceOf(type)] as (item: unknown) => string
  async function* texts() {
    for await (const item of items) yield write(item)
  }
  return Readable.from(texts())
}

function eventText({ data, ...fields }: ServerSentEvent): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${withoutBreaks(String(value))}`)
  const ofData = data === undefined ? [] : textOf(data).split(/\r\n|\r|\n/)
  return `${[...lines, ...ofData.map((line) => `data: ${line}`)].join('\n')}\n\n`
}

const textOf = (data: unknown) => (typeof data === 'string' ? data : String(stringify(data)))

/** A break would begin another field. */
const withoutBreaks = (text: string) => text.replace(/[\r\n]+/g, ' ')
