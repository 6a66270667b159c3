// The choice of the server, and its URL in every sample.
import { access, chooseServer, onAccess } from './access.js'

const form = /** @type {HTMLElement} */ (document.querySelector('.access'))
const select = /** @type {HTMLSelectElement | null} */ (form.querySelector('select'))

/** The absolute base URL of the chosen server. */
function baseUrl() {
  const shown = select?.selectedOptions[0] ?? /** @type {HTMLElement} */ (form.querySelector('[data-url]'))
  return new URL(String(shown.dataset.url), location.href).href
}

/** The URL of an operation that needs a key, has no parameters and no side effects; undefined if there is none. */
export function probe() {
  const operations = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.operation[data-method=GET]'))
  const found = [...operations].find(({ dataset }) => !dataset.path?.includes('{'))
  return found && `${baseUrl()}${found.dataset.path}`
}

export function startServers() {
  const show = () => {
    const url = baseUrl()
    for (const span of document.querySelectorAll('.server-url')) span.textContent = url
  }
  select?.addEventListener('change', () => chooseServer(select.selectedIndex))
  onAccess(show)
  access.server = select?.selectedIndex ?? 0 // a reload may have kept the choice
  show()
}
