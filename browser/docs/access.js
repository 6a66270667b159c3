// The server and the API key that the reader has chosen, for all of the page. The key stays in memory.

/** @typedef {'none' | 'checking' | 'accepted' | 'rejected' | 'unchecked'} Verdict */

export const access = {
  /** Its index in the document. */
  server: 0,
  key: '',
  /** @type {Verdict} of the server on the key */
  verdict: 'none',
}

const changes = new EventTarget()

/** Calls the listener after each change. @returns a function that ends it */
export function onAccess(/** @type {() => void} */ listener) {
  changes.addEventListener('change', listener)
  return () => changes.removeEventListener('change', listener)
}

/** `probe` is the URL of an operation without side effects that requires the key. */
export async function enterKey(/** @type {string} */ key, /** @type {string | undefined} */ probe) {
  set({ key, verdict: key && probe ? 'checking' : 'none' })
  if (access.verdict === 'none') return
  const verdict = await verdictOn(key, String(probe))
  if (access.key === key) set({ verdict })
}

export function chooseServer(/** @type {number} */ server) {
  set({ server, verdict: 'none' })
}

function set(/** @type {Partial<typeof access>} */ values) {
  Object.assign(access, values)
  changes.dispatchEvent(new Event('change'))
}

/** @returns {Promise<Verdict>} */
async function verdictOn(/** @type {string} */ key, /** @type {string} */ probe) {
  if (/[^\x21-\x7e]/.test(key)) return 'rejected' // no header can carry it
  try {
    const { status } = await fetch(probe, { method: 'HEAD', headers: { authorization: `Bearer ${key}` } })
    if (status === 401) return 'rejected'
    return status < 400 || status === 403 ? 'accepted' : 'unchecked'
  } catch {
    return 'unchecked'
  }
}

/** @type {Record<Verdict, string>} */
export const verdicts = {
  none: '',
  checking: 'Checking…',
  accepted: 'Key accepted',
  rejected: 'The server rejects this key',
  unchecked: 'Not checked: the server cannot be reached from this page',
}
