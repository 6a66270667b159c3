// A server in the middle: it answers a login with messages of the test's choice, and keeps what the client sends.
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Test } from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { listen } from 'test-kit/ports'

export function message(type: string, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(4 + bytes.length, 1)
  return Buffer.concat([head, bytes])
}

/** An authentication request of PostgreSQL's protocol, by its number. */
export function authentication(kind: number, body: Buffer | string = ''): Buffer {
  const number = Buffer.alloc(4)
  number.writeInt32BE(kind)
  return message('R', Buffer.concat([number, Buffer.from(body)]))
}

export const login = {
  none: Buffer.concat([authentication(0), message('Z', 'I')]),
  password: authentication(3),
  md5: authentication(5, 'salt'),
  gss: authentication(7),
  scram: authentication(10, 'SCRAM-SHA-256\0\0'),
  plus: authentication(10, 'SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0'),
}

/** @param answers the response to each message of the client, the start-up packet first, or what makes it of the message */
export async function hostileServer(t: Test, answers: (Buffer | ((received: string) => Buffer))[]) {
  const pem = await makeCertificate('127.0.0.1')
  /** What the client sent after the start-up packet, by connection. */
  const received: string[][] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (packet) => {
      if (packet.readInt32BE(4) !== 80877103) return play(socket, packet) // SSLRequest
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, cert: pem, key: pem })
      secure.on('error', () => {})
      secure.once('data', (startup) => play(secure, startup))
    })
  })
  function play(socket: Socket, startup: Buffer) {
    const rest = [...answers]
    const messages: string[] = []
    received.push(messages)
    const answer = (data: Buffer) => {
      const next = rest.shift()
      if (next) socket.write(typeof next === 'function' ? next(data.toString('latin1')) : next)
    }
    socket.on('data', (data) => {
      messages.push(data.toString('latin1'))
      answer(data)
    })
    answer(startup)
  }
  const port = await listen(t, server)
  return { url: `postgres://shop:secret@127.0.0.1:${port}/orders?sslmode=require`, received }
}
