// The server and the keys that the reader chose, for the whole page. Keys stay in memory.
import { withKeys } from './credentials.js'

/** @typedef {'none' | 'checking' | 'accepted' | 'rejected' | 'malformed' | 'unchecked' | 'unreachable'} Verdict of the server */
/** @typedef {{ key: string, verdict: Verdict, status: number }} Entered `status` is of the response that left it unchecked */

/** @type {Map<string, Entered>} By security scheme. */
const entered = new Map()
const changes = new EventTarget()
const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form.access'))
const select = /** @type {HTMLSelectElement | null} */ (form?.querySelector('select') ?? null)
const inputs = /** @type {HTMLInputElement[]} */ ([...(form?.querySelectorAll('[data-scheme]') ?? [])])

/** Calls the listener after each change. @returns a function that stops that */
export function onAccess(/** @type {() => void} */ listener) {
  changes.addEventListener('change', listener)
  return () => changes.removeEventListener('change', listener)
}

export const keyOf = (/** @type {string} */ scheme) => entered.get(scheme)?.key ?? ''

/** The first way to be allowed whose keys are all entered, or else the first. @template T */
export function enteredOf(/** @type {readonly T[]} */ ways, /** @type {(way: T) => readonly string[]} */ schemesOf) {
  return ways.find((way) => schemesOf(way).length > 0 && schemesOf(way).every(keyOf)) ?? ways[0]
}

/** What a request carries that may have the keys of one of several ways, never of two. */
export function credentialsOf(/** @type {readonly (readonly string[])[]} */ ways) {
  return (enteredOf(ways, (schemes) => schemes) ?? []).flatMap((scheme) => {
    const {
      in: location,
      name = '',
      prefix = '',
    } = inputs.find((input) => input.dataset.scheme === scheme)?.dataset ?? {}
    return location === undefined ? [] : [{ in: location, name, prefix, key: keyOf(scheme) }]
  })
}

/** Checks the key, if the document has a request without side effects that needs it alone. */
export async function enterKey(/** @type {string} */ scheme, /** @type {string} */ text) {
  const key = text.trim()
  const {
    in: location = '',
    name = '',
    prefix = '',
    probe,
  } = inputs.find((input) => input.dataset.scheme === scheme)?.dataset ?? {}
  // A header carries nothing else; a user name and a password are encoded.
  if (/[^\x21-\x7e]/.test(key) && !key.includes(':')) return set(scheme, { key: '', verdict: 'malformed' })
  set(scheme, { key, verdict: key && probe ? 'checking' : 'none' })
  if (!key || !probe) return
  const verdict = await verdictOn(`${baseUrl()}${probe}`, { in: location, name, prefix, key })
  if (keyOf(scheme) === key) set(scheme, { key, ...verdict })
}

/** Shows the key in its field, or in those of a user name and a password, and below what the server said, or else the hint. */
export function showKey(
  /** @type {string} */ scheme,
  /** @type {readonly HTMLInputElement[]} */ fields,
  /** @type {HTMLElement} */ output,
  /** @type {string} */ hint = '',
) {
  const { key, verdict, status } = entered.get(scheme) ?? unentered
  const isWrong = verdict === 'rejected' || verdict === 'malformed'
  const [, name = '', password = ''] = /^([^:]*):?(.*)$/s.exec(key) ?? []
  for (const [at, input] of fields.entries()) {
    const value = fields.length === 1 ? key : at === 0 ? name : password
    if (verdict !== 'malformed' && shown.get(input) !== value) {
      input.value = value
      shown.set(input, value)
    }
    input.setAttribute('aria-invalid', String(isWrong))
  }
  output.textContent = textOf(verdict, status) || hint
  output.dataset.verdict = isWrong ? 'rejected' : verdict
}

/** The last key in each field: a verdict on it arrives later, and leaves what the reader is typing by then. */
const shown = /** @type {WeakMap<HTMLInputElement, string>} */ (new WeakMap())

/** @type {Entered} */
const unentered = { key: '', verdict: 'none', status: 0 }

function textOf(/** @type {Verdict} */ verdict, /** @type {number} */ status) {
  const isLater = status >= 500 || status === 429
  return {
    none: '',
    checking: 'Checking…',
    accepted: 'Key accepted',
    rejected: 'The server rejects this key',
    malformed: 'A key has only ASCII characters and no spaces',
    unchecked: `Not checked: the server responded with ${status}.${isLater ? ' Try again later.' : ''}`,
    unreachable: 'Not checked: this page cannot reach the server',
  }[verdict]
}

function set(/** @type {string} */ scheme, /** @type {Partial<Entered>} */ values) {
  entered.set(scheme, { ...unentered, ...values })
  changes.dispatchEvent(new Event('change'))
}

/** Only 401 says that the key is wrong: a 403 may be about what it is allowed to. @returns {Promise<Partial<Entered>>} */
async function verdictOn(/** @type {string} */ url, /** @type {Parameters<typeof withKeys>[2][number]} */ credential) {
  try {
    const first = await statusOf('HEAD', url, credential)
    const status = first === 405 || first === 501 ? await statusOf('GET', url, credential) : first
    if (status === 401) return { verdict: 'rejected' }
    return status < 400 ? { verdict: 'accepted' } : { verdict: 'unchecked', status }
  } catch {
    return { verdict: 'unreachable' }
  }
}

async function statusOf(
  /** @type {string} */ method,
  /** @type {string} */ url,
  /** @type {Parameters<typeof withKeys>[2][number]} */ credential,
) {
  const headers = new Headers()
  const target = withKeys(url, headers, [credential])
  const { status } = await fetch(target, { method, headers, signal: AbortSignal.timeout(10_000) })
  return status
}

/** The absolute base URL of the chosen server; on a page without the choice, that of its samples. @param operationServer of an operation, in its place */
export function baseUrl(/** @type {string | undefined} */ operationServer = undefined) {
  if (operationServer !== undefined) {
    const root = new URL(String(document.body.dataset.apiRoot), location.href)
    return new URL(operationServer.startsWith('/') ? `.${operationServer}` : operationServer, root).href.replace(
      /\/$/,
      '',
    )
  }
  const chosen = select?.selectedOptions[0] ?? /** @type {HTMLElement | null} */ (form?.querySelector('[data-url]'))
  const url = chosen?.dataset.url ?? document.querySelector('.server-url')?.textContent ?? ''
  return new URL(url, location.href).href.replace(/\/$/, '')
}

/** The fields for the keys near the top of the page, and the choice of the server, whose URL is in every sample. */
export function startAccess() {
  if (!form) return
  for (const scheme of new Set(inputs.map((input) => input.dataset.scheme ?? ''))) startKey(scheme)
  form.addEventListener('submit', (event) => event.preventDefault())
  select?.addEventListener('change', () => {
    for (const scheme of entered.keys()) set(scheme, { key: keyOf(scheme) }) // not checked there
    changes.dispatchEvent(new Event('change'))
    showBaseUrl()
  })
  showBaseUrl() // a reload may have kept the choice
}

function startKey(/** @type {string} */ scheme) {
  const fields = inputs.filter((input) => input.dataset.scheme === scheme)
  const output = /** @type {HTMLOutputElement} */ (form?.querySelector(`output[for="${fields.at(-1)?.id}"]`))
  const hint = String(output.textContent)
  const enter = () => keyIn(fields) !== keyOf(scheme) && enterKey(scheme, keyIn(fields))
  for (const input of fields) {
    input.addEventListener('change', enter)
    input.addEventListener('keydown', ({ key }) => key === 'Enter' && enter())
  }
  onAccess(() => showKey(scheme, fields, output, hint))
}

/** That of the only field, or a user name and a password. */
export const keyIn = (/** @type {readonly HTMLInputElement[]} */ fields) =>
  fields
    .map(({ value }) => value)
    .join(':')
    .replace(/^:$/, '')

/** Puts the address of the chosen server into every block of code. */
export function showBaseUrl() {
  if (!form?.querySelector('[data-url]')) return
  const url = baseUrl()
  for (const span of document.querySelectorAll('.server-url')) if (span.textContent !== url) span.textContent = url
}
