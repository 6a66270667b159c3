// The first call of the page: sent as it stands, its answer beside it.
import { withKeys } from './credentials.js'
import { colored } from './elements.js'
import { formatJson } from './json.js'

const limit = 30_000
/** Laying out more freezes the page. */
const longest = 20_000

export async function send(
  /** @type {HTMLElement} */ button,
  /** @type {string} */ server,
  /** @type {Parameters<typeof withKeys>[2]} */ credentials,
) {
  const steps = /** @type {HTMLElement} */ (button.closest('.steps'))
  const status = /** @type {HTMLElement} */ (steps.querySelector('.step-answer .status'))
  const answer = /** @type {HTMLElement} */ (steps.querySelector('.answer'))
  const { target = '', accept = '' } = button.dataset
  const headers = new Headers(accept ? { Accept: accept } : {})
  const url = withKeys(`${server}${target}`, headers, credentials)
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(limit) })
    const text = await response.text()
    status.textContent = String(response.status)
    status.className = `status status-${String(response.status)[0]}xx`
    if (status.previousElementSibling) status.previousElementSibling.textContent = 'Response'
    show(answer, text, response.headers.get('content-type') ?? '')
    steps.classList.add('sent')
  } catch {
    answer.replaceChildren(hint('No response: this page cannot reach the server, or is not allowed to.', 'error'))
  }
}

function show(/** @type {HTMLElement} */ answer, /** @type {string} */ text, /** @type {string} */ type) {
  if (text === '') return answer.replaceChildren(hint('No body'))
  const code = document.createElement('code')
  code.className = /json/i.test(type) ? 'language-json' : 'language-text'
  code.append(...colored(formatJson(text).slice(0, longest), code.className.slice('language-'.length)))
  const block = document.createElement('pre')
  block.append(code)
  answer.replaceChildren(block)
  answer.tabIndex = 0
}

function hint(/** @type {string} */ text, more = '') {
  return Object.assign(document.createElement('p'), { className: `hint ${more}`, textContent: text })
}
