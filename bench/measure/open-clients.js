// Clients of an open load: each request has a connection of its own until its response is complete; idle ones are reused.
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { HTTP2_HOST, KEY } from '../servers.js'

/** @typedef {(done: (status: number) => void) => void} Send with 0 if the connection breaks */

const LARGEST_WINDOW = 2 ** 31 - 1

/** @param {string} url @returns {{ send: Send, close(): void }} */
export function openHttp1(url) {
  const { hostname, port, pathname } = new URL(url)
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${KEY}\r\n\r\n`
  return reusing((release) => {
    const socket = connect(Number(port), hostname)
    let done = (/** @type {number} */ _status) => {}
    let [status, left] = [0, 0]
    socket.on('data', (chunk) => {
      if (left === 0) {
        const head = chunk.toString('latin1', 0, chunk.indexOf('\r\n\r\n') + 4)
        status = Number(head.slice(9, 12))
        left = head.length + Number(/^content-length: (\d+)/im.exec(head)?.[1])
      }
      left -= chunk.length
      if (left > 0) return
      release()
      done(status)
    })
    socket.on('error', () => done(0))
    return {
      send(callback) {
        done = callback
        socket.write(request)
      },
      close: () => socket.destroy(),
    }
  })
}

/** The windows are as large as possible, so that the server never waits for the client. @param {string} url @returns {{ send: Send, close(): void }} */
export function openHttp2(url) {
  const { pathname, origin } = new URL(url)
  const settings = { initialWindowSize: LARGEST_WINDOW }
  return reusing((release) => {
    const session = connectHttp2(origin, { rejectUnauthorized: false, servername: HTTP2_HOST, settings })
    // Node emits `connect` for a session that was destroyed meanwhile, too.
    session.on('connect', () => session.destroyed || session.setLocalWindowSize(LARGEST_WINDOW)).on('error', () => {})
    return {
      send(done) {
        let status = 0
        const stream = session.request({ ':path': pathname, ':authority': HTTP2_HOST, authorization: `Bearer ${KEY}` })
        stream.on('response', (headers) => {
          status = Number(headers[':status'])
        })
        stream.resume().on('error', () => {})
        stream.on('close', () => {
          if (!session.destroyed) release()
          done(stream.rstCode === 0 ? status : 0)
        })
      },
      close: () => session.destroy(),
    }
  })
}

/** @param {(release: () => void) => { send: Send, close(): void }} open */
function reusing(open) {
  /** @type {ReturnType<typeof open>[]} */
  const all = []
  /** @type {ReturnType<typeof open>[]} */
  const idle = []
  return {
    /** @type {Send} */
    send(done) {
      let client = idle.pop()
      if (!client) {
        const opened = open(() => idle.push(opened))
        client = opened
        all.push(opened)
      }
      client.send(done)
    },
    close() {
      for (const client of all) client.close()
    },
  }
}
