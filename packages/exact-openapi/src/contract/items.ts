// Bodies that are sent item by item: server-sent events, JSON lines and JSON text sequences.
import { Readable } from 'node:stream'
import { stringify } from 'lossless-json'
import { essenceOf } from './media-types.ts'

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

/** Whether a body is one of these, and no stream of bytes. */
export function isItems(type: string, body: unknown): body is AsyncIterable<unknown> {
  const { pipe, getReader } = Object(body)
  return isItemsType(type) && Symbol.asyncIterator in Object(body) && !pipe && !getReader
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
  const text = typeof data === 'string' ? data : data === undefined ? undefined : String(stringify(data))
  const ofData = text?.split(/\r\n|\r|\n/).map((line) => `data: ${line}`) ?? []
  return `${[...lines, ...ofData].join('\n')}\n\n`
}

/** A break would begin another field. */
const withoutBreaks = (text: string) => text.replace(/[\r\n]+/g, ' ')
