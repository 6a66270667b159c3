// Types shared by the parts of the suite.
import type { Random } from './random.ts'

/** The response that a request must get. */
export interface Expected {
  /** Decides whether the response has a body. */
  method: string
  statuses: readonly number[]
  /** Whether the response ends the connection. */
  closes: 'never' | 'may' | 'must'
  /** The X-Request-Id that it must echo. */
  id?: string | undefined
  /** The order that a 204 cancels. */
  order?: bigint | undefined
  /** The request expects 100-continue. */
  continues?: boolean
  /** The connection may close instead. */
  isOptional?: boolean
  /** Only a 204 reveals the state of the order. */
  isMutant?: boolean
}

/** A request, with the name of its fault if it has one. */
export interface Exchange {
  name?: string
  bytes: Buffer
  response: Expected
}

/** Bytes to write, or something to wait for. */
export type Piece = Buffer | (() => Promise<unknown>)

/** The life of one connection. */
export interface Script {
  kind: string
  pieces: Piece[]
  /** In order. */
  responses: Expected[]
  /** After the last piece: half-close, reset, or wait for the server. */
  end: 'fin' | 'reset' | 'wait'
  /** The server may reset while the client still writes, which can lose the last response. */
  isLossy?: boolean
  /** The longest silence. */
  silenceMs?: number
}

export interface Received {
  bytes: Buffer
  ended: 'closed' | 'reset' | 'deadline'
}

export interface Orders {
  /** All identifiers, in the order of placement. */
  placed: bigint[]
  pending: bigint[]
  shipped: Set<bigint>
  /** An orders file, .ndjson. */
  text: string
}

/** What requests are made of. */
export interface World {
  key: string
  host: string
  orders: Orders
}

/** The world, and one connection's number and random choices. */
export interface Source {
  world: World
  random: Random
  number: number
}
