// Writes requests as bytes. Text is Latin-1: one byte per character.
import type { Random } from '../random.ts'
import type { World } from '../types.ts'

export type Field = readonly [name: string, value: string]

export interface Message {
  method: string
  target: string
  version?: string
  fields: readonly Field[]
  /** With its framing. */
  body?: string
}

export function write({ method, target, version = '1.1', fields, body = '' }: Message): Buffer {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
  return latin1(`${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n${body}`)
}

export function latin1(text: string) {
  return Buffer.from(text, 'latin1')
}

export function authorization({ key }: World): Field {
  return ['Authorization', `Bearer ${key}`]
}

export function requestId(random: Random): Field {
  return ['X-Request-Id', `h-${random.text(14)}`]
}
