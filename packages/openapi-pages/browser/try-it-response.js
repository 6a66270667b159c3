// The response: its status, body and headers, while they arrive and afterwards.
import { codeBlock, h } from './elements.js'
import { formatJson } from './json.js'

/** Longer bodies are cut: laying out megabytes freezes the page. */
const longest = 200_000
/** How much is shown of these, and of what still arrives. */
const beginning = 20_000

/** @returns {Promise<HTMLElement[]>} */
export async function responseParts(/** @type {Response} */ response, /** @type {Blob} */ bytes) {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  const headers = codeBlock('Response headers', lines.join('\n'))
  return [
    ...(await bodyParts(response, bytes)),
    h('details', { class: 'received' }, h('summary', {}, `${lines.length} headers`), headers),
  ]
}

export function statusParts(/** @type {Response} */ { status, statusText }) {
  return [h('strong', { class: `status-${String(status)[0]}xx` }, [status, statusText].join(' ').trim())]
}

/**
 * Shows a text while it arrives.
 * @param heard is called whenever something has
 * @returns {Promise<{ bytes: Blob, isWhole: boolean }>} what has arrived before the end, or before a failure
 */
export async function received(
  /** @type {Response} */ { body, headers },
  /** @type {HTMLElement} */ container,
  /** @type {() => void} */ heard,
) {
  const type = headers.get('content-type') ?? ''
  const reader = body?.getReader()
  const decoder = decoderOf(charsetOf(type))
  const live = codeBlock('Response body', '')
  const code = /** @type {HTMLElement} */ (live.querySelector('code'))
  const chunks = []
  let isWhole = false
  try {
    for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
      heard()
      chunks.push(next.value)
      const left = beginning - String(code.textContent).length
      if (!isText.test(type) || left <= 0) continue
      code.append(decoder.decode(next.value, { stream: true }).slice(0, left))
      if (!live.isConnected) container.replaceChildren(live)
    }
    isWhole = true
  } catch {}
  return { bytes: new Blob(chunks), isWhole }
}

const isText = /^text\/|json|xml|yaml|javascript|urlencoded|^$/i

/** What a text is written in, UTF-8 unless its type says so. */
const charsetOf = (/** @type {string} */ type) => /charset="?([^\s;"]+)/i.exec(type)?.[1]

function decoderOf(/** @type {string | undefined} */ charset) {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

async function bodyParts(/** @type {Response} */ response, /** @type {Blob} */ bytes) {
  if (bytes.size === 0) return [h('p', { class: 'hint' }, 'No body')]
  const type = response.headers.get('content-type') ?? ''
  const isPicture = /^image\//i.test(type)
  if (isPicture || !isText.test(type)) {
    const link = download('Download', response, bytes)
    const remove = ({ target }) => target.remove() // of a kind that the browser does not show
    return [
      isPicture && h('img', { class: 'picture', src: address, alt: 'The picture of the response', onerror: remove }),
      h('p', {}, `${type}, ${bytes.size.toLocaleString('en')} bytes. `, link),
    ].filter((part) => part !== false)
  }
  const text = decoderOf(charsetOf(type)).decode(await bytes.arrayBuffer())
  if (text.length <= longest) {
    const formatted = formatJson(text)
    const readable = formatted.length <= longest ? formatted : text
    return [codeBlock('Response body', readable, readable === text && !/json/i.test(type) ? 'text' : 'json')]
  }
  return [
    h('p', {}, 'The beginning of the response. ', download('Download the whole response', response, bytes)),
    codeBlock('Response body', text.slice(0, beginning)),
  ]
}

let address = ''

function download(/** @type {string} */ label, /** @type {Response} */ response, /** @type {Blob} */ bytes) {
  URL.revokeObjectURL(address) // of the last one, which may be large
  address = URL.createObjectURL(bytes)
  return h('a', { href: address, download: nameOf(response) }, label)
}

/** The name that the server gives (RFC 6266), or else the end of the path with the media type. */
function nameOf(/** @type {Response} */ { headers, url }) {
  const disposition = headers.get('content-disposition') ?? ''
  const [, charset, encoded] = /filename\*\s*=\s*([\w-]+)'[^']*'([^;\s]+)/i.exec(disposition) ?? []
  if (encoded) return decoderOf(charset).decode(Uint8Array.from(unescape(encoded), (letter) => letter.charCodeAt(0)))
  const [, quoted, plain] = /filename\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s]+))/i.exec(disposition) ?? []
  const [, subtype = 'bin'] = /\/(?:[^;]*[+.])?(\w+)/.exec(headers.get('content-type') ?? '') ?? []
  const last = new URL(url, location.href).pathname.split('/').pop() || 'response'
  return quoted?.replace(/\\(.)/g, '$1') ?? plain ?? (/\.\w+$/.test(last) ? last : `${last}.${subtype}`)
}
