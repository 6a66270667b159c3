// DNS queries over UDP, and over TCP for responses that do not fit (RFC 1035, section 4.2; RFC 7766).
// node:dns shows neither whose record an answer is, nor a CAA record with an empty value.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { promises } from 'node:dns'
import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import dnsPacket, { type Answer, type Packet, type Question } from 'dns-packet'

export interface ResolverOptions {
  /** Addresses such as `127.0.0.1:5353`. Default: the system's. */
  servers?: readonly string[]
  /** Timeout of a single query. */
  timeoutMs?: number
  /** Queries per server. */
  tries?: number
}

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'NS' | 'MX' | 'TXT' | 'CAA'

/** The answer section of the response; empty when there are no records. @throws LookupError */
export type Query = (name: string, type: RecordType) => Promise<Answer[]>

/** SERVFAIL, REFUSED or a timeout: it is unknown if the records exist. */
export class LookupError extends Error {
  readonly host: string

  constructor(host: string, cause: unknown) {
    super(`no answer from DNS for ${host}`, { cause })
    this.host = host
  }
}

interface Server {
  address: string
  port: number
}

/** The name of the response code is not in the published types. */
type Response = Packet & { rcode?: string; flag_tc?: boolean }

const PORT = 53

export function dnsQuery({ servers = [], timeoutMs = 3000, tries = 2 }: ResolverOptions): Query {
  const texts = () => (servers.length > 0 ? servers : new promises.Resolver().getServers())
  return async (name, type) => {
    let cause: unknown
    for (let attempt = 0; attempt < tries; attempt++) {
      for (const server of texts().map(serverOf)) {
        try {
          const { rcode, answers = [] } = await ask(server, name, type, timeoutMs)
          if (rcode === 'NOERROR' || rcode === 'NXDOMAIN') return answers
          cause = new Error(rcode)
        } catch (error) {
          cause = error
        }
      }
    }
    throw new LookupError(name, cause)
  }
}

/** `127.0.0.1`, `127.0.0.1:53`, `::1` or `[::1]:53` */
function serverOf(text: string): Server {
  if (isIP(text)) return { address: text, port: PORT }
  const [, bracketed, plain = bracketed, port = PORT] = /^(?:\[(.+)\]|([\d.]+))(?::(\d+))?$/.exec(
    text,
  ) as RegExpExecArray
  return { address: String(plain), port: Number(port) }
}

/** @throws when there is no response in time */
async function ask(server: Server, name: string, type: RecordType, timeoutMs: number): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  const query: Packet = {
    type: 'query',
    id: randomInt(0x10000),
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ type, name: name.replace(/\.$/, '') }],
  }
  const response = await overUdp(server, query, signal)
  return response.flag_tc ? overTcp(server, query, signal) : response
}

async function overUdp({ address, port }: Server, query: Packet, signal: AbortSignal): Promise<Response> {
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  try {
    socket.connect(port, address) // only its datagrams arrive
    await once(socket, 'connect', { signal })
    socket.send(dnsPacket.encode(query))
    for (;;) {
      const [message] = await once(socket, 'message', { signal })
      const response = dnsPacket.decode(message)
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
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) continue
      const response = dnsPacket.streamDecode(received)
      if (answers(response, query)) return response
    }
    throw new Error('the connection was closed')
  } finally {
    socket.destroy()
  }
}

function answers({ type, id, questions }: Packet, query: Packet): boolean {
  const [[asked], [one]] = [query.questions, questions] as [Question[], Question[]]
  const isSame = asked?.type === one?.type && asked?.name.toLowerCase() === one?.name.toLowerCase()
  return type === 'response' && id === query.id && isSame
}
