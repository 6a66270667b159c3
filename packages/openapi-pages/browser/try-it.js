// "Try it": a form is loaded when a reader first asks for it, and moves into the operation that is tried.
import { access, baseUrl, enterKey, onAccess, showAccess } from './access.js'

/** What a form shares with the page. @typedef {typeof page} Page */
const page = { access, baseUrl, enterKey, onAccess, showAccess }
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
    await explain(String(button.dataset.url))
  }
}

/** A server of another version may have no such form. */
async function explain(/** @type {string} */ url) {
  const response = await fetch(url, { method: 'HEAD' }).catch(() => undefined)
  panel.textContent = 'The form cannot be loaded. Check the connection and press the button again.'
  if (response?.status !== 404) return
  const reload = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Reload' })
  reload.addEventListener('click', () => location.reload())
  panel.replaceChildren('A new version of this page is out. ', reload)
}

let failures = 0

function formOf(/** @type {HTMLButtonElement} */ button) {
  const { url = '' } = button.dataset
  const form = forms.get(url) ?? load(url, button)
  forms.set(url, form)
  form.catch(() => forms.delete(url) && failures++)
  return form
}

/** Another address after a failure, which browsers may remember. */
async function load(/** @type {string} */ url, /** @type {HTMLButtonElement} */ button) {
  const { formOf, operation } = await import(new URL(failures > 0 ? `${url}?${failures}` : url, location.href).href)
  return formOf(operation, button, page)
}
