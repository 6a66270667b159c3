// Scripts that a page loads when a reader first needs them. Each has all that it imports: while a new version is rolled
// out, two requests may meet two versions.

/** @type {Map<string, Promise<any>>} By their addresses. */
const loads = new Map()
let failures = 0

/** After a failure, the next call tries again, at another address: browsers may remember failures. */
export function load(/** @type {string} */ url) {
  const loading = loads.get(url) ?? import(new URL(failures > 0 ? `${url}?${failures}` : url, location.href).href)
  loads.set(url, loading)
  loading.catch(() => loads.delete(url) && failures++)
  return loading
}

/** Says why the script was not loaded. A server of another version may have no such script. */
export async function explain(
  /** @type {HTMLElement} */ element,
  /** @type {string} */ url,
  /** @type {string} */ failure,
) {
  element.textContent = failure
  const response = await fetch(url, { method: 'HEAD' }).catch(() => undefined)
  if (response?.status !== 404) return
  const reload = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Reload' })
  reload.addEventListener('click', () => location.reload())
  element.replaceChildren('A new version of this page is out. ', reload)
}
