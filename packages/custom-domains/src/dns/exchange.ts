// Sends one query to one DNS server: over UDP, and over TCP if the response is truncated (RFC 1035, section 4.2; RFC 7766).
// node:dns exposes neither the owners of records nor CAA records with an empty value.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import dnsPacket, { type Answer, type Packet, type RecordType as PacketType, type Question } from 'dns-packet'
import { printable } from '../state/printable.ts'
import type { Server } from './address-policy.ts'

export type RecordType =
  | Extract<PacketType, 'A' | 'AAAA' | 'CNAME' | 'NS' | 'SOA' | 'MX' | 'TXT' | 'CAA'>
  | 'UNKNOWN_64'
  | 'UNKNOWN_65'

/** What dns-packet decodes: not all of this is in the published types. */
export interface Response extends Packet {
  rcode: string
  flag_aa: boolean
  flag_tc: boolean
  answers: Answer[]
  authorities: Answer[]
  additionals: Answer[]
}

/** @param flags of dns-packet, such as RECURSION_DESIRED @throws when there is no response before the signal */
export async function exchange(
  server: Server,
  { name, type }: { name: string; type: RecordType },
  flags: number,
  signal: AbortSignal,
): Promise<Response> {
  const questions = [{ type, name: name.replace(/\.$/, '') } as Question]
  const query: Packet = { type: 'query', id: randomInt(0x10000), flags, questions }
  const response = await overUdp(server, query, signal)
  return cleaned(response.flag_tc ? await overTcp(server, query, signal) : response)
}

function cleaned(response: Response): Response {
  const [answers, authorities, additionals] = [response.answers, response.authorities, response.additionals].map(
    (section) => section.map((record) => cleanedTexts(record) as Answer),
  ) as [Answer[], Answer[], Answer[]]
  return { ...response, answers, authorities, additionals }
}

/** The same record or data, with every text printable. A Buffer in TXT data is text. */
function cleanedTexts(value: unknown, isText = false): unknown {
  if (typeof value === 'string') return printable(value)
  if (Buffer.isBuffer(value)) return isText ? printable(value.toString()) : value
  if (Array.isArray(value)) return value.map((each) => cleanedTexts(each, isText))
  if (typeof value !== 'object' || value === null) return value
  const isTxt = (value as { type?: unknown }).type === 'TXT'
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cleanedTexts(each, isTxt)]))
}

async function overUdp({ address, port }: Server, query: Packet, signal: AbortSignal): Promise<Response> {
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  try {
    socket.connect(port, address) // only its datagrams arrive
    await once(socket, 'connect', { signal })
    socket.send(dnsPacket.encode(query))
    for (;;) {
      const [message] = await once(socket, 'message', { signal })
      const response = dnsPacket.decode(message) as Packet as Response
      if (answers(response, query)) return response
    }
  } finally {
    socket.close()
  }
}

async function overTcp({ address, port }: Server, query: Packet, signal: AbortSignal): Promise<Response> {
  const socket = connect({ host: address, port, signal })
  try {
    socket.write(dnsPacket.streamEncode(query))
    let received = Buffer.alloc(0)
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk])
      if (isWhole(received)) return responseIn(received, query)
    }
    throw new Error('the connection was closed')
  } finally {
    socket.destroy()
  }
}

/** A length field precedes each message (RFC 1035, section 4.2.2). */
function isWhole(received: Buffer): boolean {
  return received.length >= 2 && received.length >= 2 + received.readUInt16BE()
}

function responseIn(received: Buffer, query: Packet): Response {
  const response = dnsPacket.streamDecode(received) as Packet as Response
  if (answers(response, query)) return response
  throw new Error('the response is to another query')
}

function answers({ type, id, questions }: Packet, query: Packet): boolean {
  const [[asked], [question]] = [query.questions, questions] as [Question[], Question[]]
  const isSame = asked?.type === question?.type && asked?.name.toLowerCase() === question?.name.toLowerCase()
  return type === 'response' && id === query.id && isSame
}
