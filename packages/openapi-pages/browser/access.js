// The server and the API key that the reader chose, for the whole page. The key stays in memory.

/** @typedef {'none' | 'checking' | 'accepted' | 'rejected' | 'malformed' | 'unchecked' | 'unreachable'} Verdict */

export const access = {
  /** Its index in the document. */
  server: 0,
  key: '',
  /** @type {Verdict} of the server on the key */
  verdict: 'none',
  /** Of the response that left the key unchecked. */
  status: 0,
}

const changes = new EventTarget()
const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form.access'))
const select = /** @type {HTMLSelectElement | null} */ (form?.querySelector('select') ?? null)

/** Calls the listener after each change. @returns a function that stops that */
export function onAccess(/** @type {() => void} */ listener) {
  changes.addEventListener('change', listener)
  return () => changes.removeEventListener('change', listener)
}

/** Checks the key with a request without side effects. */
export async function enterKey(/** @type {string} */ entered) {
  const key = entered.trim()
  if (/[^\x21-\x7e]/.test(key)) return set({ key: '', verdict: 'malformed' }) // no header can carry it
  const url = probe()
  set({ key, verdict: key && url ? 'checking' : 'none' })
  if (access.verdict === 'none') return
  const verdict = await verdictOn(key, String(url))
  if (access.key === key) set(verdict)
}

/** Shows the key in a field for it, and below it what the server said, or else the hint. */
export function showAccess(
  /** @type {HTMLInputElement} */ input,
  /** @type {HTMLElement} */ output,
  /** @type {string} */ hint = '',
) {
  const { key, verdict } = access
  const isWrong = verdict === 'rejected' || verdict === 'malformed'
  if (verdict !== 'malformed') input.value = key
  input.setAttribute('aria-invalid', String(isWrong))
  output.textContent = verdictText() || hint
  output.dataset.verdict = isWrong ? 'rejected' : verdict
}

function verdictText() {
  const { verdict, status } = access
  return {
    none: '',
    checking: 'Checking…',
    accepted: 'Key accepted',
    rejected: 'The server rejects this key',
    malformed: 'A key has only ASCII characters and no spaces',
    unchecked: `Not checked: the server responded with ${status}. Try again later.`,
    unreachable: 'Not checked: this page cannot reach the server',
  }[verdict]
}

function set(/** @type {Partial<typeof access>} */ values) {
  Object.assign(access, values)
  changes.dispatchEvent(new Event('change'))
}

/** @returns {Promise<Partial<typeof access>>} */
async function verdictOn(/** @type {string} */ key, /** @type {string} */ url) {
  try {
    const headers = { authorization: `Bearer ${key}` }
    const { status } = await fetch(url, { method: 'HEAD', headers, signal: AbortSignal.timeout(10_000) })
    if (status === 401) return { verdict: 'rejected' }
    return status < 400 || status === 403 ? { verdict: 'accepted' } : { verdict: 'unchecked', status }
  } catch {
    return { verdict: 'unreachable' }
  }
}

/** The absolute base URL of the chosen server; on a page without the choice, that of its samples. */
export function baseUrl() {
  const shown = select?.selectedOptions[0] ?? /** @type {HTMLElement | null} */ (form?.querySelector('[data-url]'))
  const url = shown?.dataset.url ?? document.querySelector('.server-url')?.textContent ?? ''
  return new URL(url, location.href).href.replace(/\/$/, '')
}

/** The URL of an operation that needs a key, has no parameters and no side effects; undefined if there is none. */
function probe() {
  const operations = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.operation[data-method=GET]'))
  const found = [...operations].find(({ dataset }) => !dataset.path?.includes('{'))
  return found && `${baseUrl()}${found.dataset.path}`
}

/** The field for the key near the top of the page, and the choice of the server, whose URL is in every sample. */
export function startAccess() {
  if (!form) return
  const input = /** @type {HTMLInputElement} */ (form.querySelector('input'))
  const output = /** @type {HTMLOutputElement} */ (form.querySelector('output'))
  const hint = String(output.textContent)
  const enter = () => input.value !== access.key && enterKey(input.value)
  input.addEventListener('change', enter)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    enter()
  })
  select?.addEventListener('change', () => {
    set({ server: select.selectedIndex, verdict: 'none' })
    showBaseUrl()
  })
  onAccess(() => showAccess(input, output, hint))
  access.server = select?.selectedIndex ?? 0 // a reload may have kept the choice
  showBaseUrl()
}

/** Puts the address of the chosen server into every block of code. */
export function showBaseUrl() {
  if (!form?.querySelector('[data-url]')) return
  const url = baseUrl()
  for (const span of document.querySelectorAll('.server-url')) if (span.textContent !== url) span.textContent = url
}
