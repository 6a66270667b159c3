// "Try it": a form is loaded when a reader first asks for it, and moves into the operation that is tried.
import { baseUrl, enteredOf, enterKey, keyIn, keyOf, onAccess, showKey } from './access.js'
import { explain, load } from './load.js'

/** What a form shares with the page. @typedef {typeof page} Page */
const page = { baseUrl, enteredOf, enterKey, keyIn, keyOf, onAccess, showKey }
/** @type {Map<string, Promise<ReturnType<typeof import('./try-it-form.js')['formOf']>>>} By their addresses. */
const forms = new Map()
const panel = document.createElement('div')
panel.className = 'try-it-panel'
panel.id = 'try-it'

export function startTryIt() {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('button.try-it'))) {
    button.addEventListener('click', () => toggle(button))
    button.addEventListener('pointerenter', () => formOf(button).catch(() => {}), { once: true })
  }
  addEventListener('hashchange', openLinked)
  void openLinked()
}

/** A link to a try has the operation and its values in its fragment. Nothing is sent. */
async function openLinked() {
  const [, id = '', values] = /^#try\/([^?]+)\?(.*)$/.exec(location.hash) ?? []
  const operation = document.getElementById(decodeURIComponent(id))
  const button = /** @type {HTMLButtonElement | null | undefined} */ (operation?.querySelector('button.try-it'))
  if (!button) return
  if (button.getAttribute('aria-expanded') !== 'true') await toggle(button)
  const form = await formOf(button)
  form.fill(new URLSearchParams(values))
  button.scrollIntoView()
}

async function toggle(/** @type {HTMLButtonElement} */ button) {
  const isOpen = button.getAttribute('aria-expanded') === 'true'
  for (const other of document.querySelectorAll('button.try-it')) other.setAttribute('aria-expanded', 'false')
  panel.remove()
  if (isOpen) return
  button.setAttribute('aria-expanded', 'true')
  panel.innerHTML = '<p class="hint" role="status">Loading…</p>'
  button.after(panel)
  try {
    const { element, focus } = await formOf(button)
    if (panel.previousElementSibling !== button) return // another was opened meanwhile
    panel.replaceChildren(element)
    focus()
  } catch {
    button.setAttribute('aria-expanded', 'false') // the next press tries again
    const failure = 'The form cannot be loaded. Check the connection and press the button again.'
    await explain(panel, String(button.dataset.url), failure)
  }
}

function formOf(/** @type {HTMLButtonElement} */ button) {
  const { url = '' } = button.dataset
  const form = forms.get(url) ?? load(url).then(({ formOf, operation }) => formOf(operation, button, page))
  forms.set(url, form)
  form.catch(() => forms.delete(url))
  return form
}
