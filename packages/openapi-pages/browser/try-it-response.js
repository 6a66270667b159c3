// The response: its status, body and headers as they arrived.
import { codeBlock, h } from './elements.js'
import { formatJson } from './json.js'

/** Longer bodies are cut: laying out megabytes freezes the page. */
const longest = 200_000

/** @returns {Promise<HTMLElement[]>} */
export async function responseParts(/** @type {Response} */ response, /** @type {Blob} */ bytes) {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  const headers = codeBlock('Response headers', lines.join('\n'))
  return [
    ...(await bodyParts(response, bytes)),
    h('details', { class: 'received' }, h('summary', {}, `${lines.length} headers`), headers),
  ]
}

export function statusParts(/** @type {Response} */ { status, statusText }, /** @type {number} */ milliseconds) {
  return [
    h('strong', { class: `status-${String(status)[0]}xx` }, [status, statusText].join(' ').trim()),
    h('span', { class: 'hint' }, ` ${milliseconds} ms`),
  ]
}

async function bodyParts(/** @type {Response} */ response, /** @type {Blob} */ bytes) {
  if (bytes.size === 0) return [h('p', { class: 'hint' }, 'No body')]
  const type = response.headers.get('content-type') ?? ''
  if (!/^text\/|json|xml|yaml|javascript|urlencoded|^$/i.test(type)) {
    return [h('p', {}, `${type}, ${bytes.size.toLocaleString('en')} bytes. `, download('Download', response, bytes))]
  }
  const text = await bytes.text()
  if (text.length <= longest) {
    const shown = formatJson(text)
    return [codeBlock('Response body', shown, shown === text && !/json/i.test(type) ? 'text' : 'json')]
  }
  return [
    h('p', {}, 'The beginning of the response. ', download('Download the whole response', response, bytes)),
    codeBlock('Response body', text.slice(0, 20_000)),
  ]
}

let address = ''

function download(/** @type {string} */ label, /** @type {Response} */ response, /** @type {Blob} */ bytes) {
  URL.revokeObjectURL(address) // of the last one, which may be large
  address = URL.createObjectURL(bytes)
  return h('a', { href: address, download: nameOf(response) }, label)
}

/** The name that the server gives, or else the end of the path with the media type. */
function nameOf(/** @type {Response} */ { headers, url }) {
  const [, given] = /filename="?([^";]+)/i.exec(headers.get('content-disposition') ?? '') ?? []
  const [, subtype = 'bin'] = /\/(?:[^;]*[+.])?(\w+)/.exec(headers.get('content-type') ?? '') ?? []
  const last = new URL(url, location.href).pathname.split('/').pop() || 'response'
  return given ?? (/\.\w+$/.test(last) ? last : `${last}.${subtype}`)
}
