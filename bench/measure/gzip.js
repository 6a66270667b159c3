// The gzip bytes of the server, for the peer that is to send the same.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../http.js'
import { dataFolder } from '../orders.js'

const PAUSE_MS = 500
const LIMIT = 60

/** The server compresses in the background: resolves when its response has stopped shrinking. @param {string} url */
export async function saveGzip(url) {
  const file = join(dataFolder, 'list.gz')
  let length = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < LIMIT; attempt++) {
    const { body, headers } = await ask(url, { headers: { 'accept-encoding': 'gzip' } })
    if (headers['content-encoding'] !== 'gzip') throw new Error('the server sends no gzip')
    if (body.length === length) {
      writeFileSync(file, body)
      return file
    }
    length = body.length
    await sleep(PAUSE_MS)
  }
  throw new Error('the gzip answer does not come to rest')
}
