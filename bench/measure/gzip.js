// Gets the server's gzip bytes for the peer that sends the same.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../http.js'
import { dataFolder } from '../orders.js'

const PAUSE_MS = 500
const LIMIT = 60

/** The server compresses in the background: resolves when its gzip has stopped shrinking. @param {string} url */
export async function saveGzip(url) {
  const file = join(dataFolder, 'list.gz')
  let length = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < LIMIT; attempt++) {
    const { body } = await askZipped(url)
    if (body.length === length) {
      writeFileSync(file, body)
      return file
    }
    length = body.length
    await sleep(PAUSE_MS)
  }
  throw new Error('the gzip answer does not come to rest')
}

/** Until the list is compressed, it comes without. @param {string} url @param {Record<string, string>} [others] */
export async function askZipped(url, others) {
  for (let attempt = 0; attempt < LIMIT; attempt++) {
    const answer = await ask(url, { headers: { 'accept-encoding': 'gzip', ...others } })
    if (answer.headers['content-encoding'] === 'gzip') return answer
    await sleep(PAUSE_MS)
  }
  throw new Error('the server sends no gzip')
}
