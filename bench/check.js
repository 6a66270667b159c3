// Checks before measuring that all servers send the same JSON, check the key, and cancel the given orders.
import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { ask, digestOf } from './http.js'
import { askZipped } from './measure/gzip.js'
import { idAt, ordersFile } from './orders.js'
import { start } from './servers.js'

const FEW = 10
/** Sends the same headers as the server. @param {{ peer: string, env?: Record<string, string> }} contestant */
const isTwin = ({ peer, env }) => peer === 'raw' || peer === 'fastify-buffer' || env?.SAME_HEADERS !== undefined

/**
 * Sends each server two requests and times the second.
 * @param {{ name: string, peer: string, server: import('./servers.js').Server }[]} contestants this server first
 * @param {import('./rows/index.js').Request | undefined} request
 * @param {(text: string) => void} say
 */
export async function checkAnswers(contestants, request, say) {
  const checks = []
  /** @type {{ body: Buffer, digest: string, headers?: import('node:http').IncomingHttpHeaders } | undefined} */
  let ours
  for (const { server, ...contestant } of contestants) {
    const { name } = contestant
    say(`checking ${name}`)
    await checkKey(contestant, server)
    const { headers, body } = await ask(server.url)
    ours ??= { body, digest: digestOf(body) }
    const same = sameness(name, body, ours)

    const requestHeaders = {
      ...(request?.isKnown && { 'if-none-match': String(headers.etag) }),
      ...(request?.isZipped && { 'accept-encoding': 'gzip' }),
    }
    const again = request?.isZipped
      ? await askZipped(server.url, requestHeaders)
      : await ask(server.url, { headers: requestHeaders })
    ours.headers ??= again.headers
    assert.equal(again.status, request?.isKnown ? 304 : 200, `${name}: the status`)
    if (isTwin(contestant)) checkHeaders(name, again.headers, ours.headers)
    if (request?.isZipped) assert.equal(digestOf(gunzipSync(again.body)), ours.digest, `${name}: what the gzip holds`)
    checks.push({ name, same, requestHeaders, seconds: again.seconds })
  }
  return checks
}

/** Each server cancels one of a few orders and must then return the same list as the others. */
export async function checkCancels(entries, say) {
  const file = await ordersFile(FEW)
  let ours
  for (const { name, peer, env } of entries) {
    say(`checking ${name}`)
    const server = await start(peer, file, env)
    try {
      const url = `${server.url}/${idAt(4)}`
      const cancelled = await ask(url, { method: 'DELETE' })
      const again = await ask(url, { method: 'DELETE' })
      assert.deepEqual([cancelled.status, again.status], [204, 404], `${name}: cancelling an order twice`)
      const { body } = await ask(server.url)
      ours ??= { body, digest: digestOf(body) }
      sameness(name, body, ours)
    } finally {
      await server.stop()
    }
  }
}

/** Compares bytes by SHA-256, and parsed values if they differ. */
function sameness(name, body, ours) {
  if (digestOf(body) === ours.digest) return 'same bytes'
  assert.deepEqual(JSON.parse(String(body)), JSON.parse(String(ours.body)), `${name}: the answer`)
  return 'same JSON'
}

async function checkKey({ name, peer }, { url }) {
  const { status } = await ask(url, { headers: { authorization: 'Bearer wrong' } })
  assert.equal(status, peer === 'nginx' ? 200 : 401, `${name}: the answer to a wrong key`)
}

function checkHeaders(name, headers, ours) {
  const unique = { 'x-request-id': '', etag: '', date: '' }
  assert.deepEqual({ ...headers, ...unique }, { ...ours, ...unique }, `${name}: the headers`)
  for (const each of Object.keys(unique)) assert.ok(headers[each], `${name}: has no ${each}`)
}
