// The dialogs and forms of index.html: one submission at a time, with errors shown at the field.
import { ApiError } from './api.js'
import { byId } from './dom.js'
import { fill, html } from './markup.js'

/** @import { Domains } from './api.js' */

/**
 * Opens a dialog. Resolves with the result of `submit`, or with undefined when cancelled, once the focus is back where it
 * was.
 * @template T
 * @param {string} id
 * @param {Record<string, string>} texts The texts of its `data-text` elements.
 * @param {(data: FormData) => Promise<T | undefined>} submit With undefined, the dialog stays open.
 * @param {(form: HTMLFormElement) => void} [prepare] Sets its fields.
 * @returns {Promise<T | undefined>}
 */
export function ask(id, texts, submit, prepare = () => {}) {
  const dialog = /** @type {HTMLDialogElement} */ (byId(id))
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector('form'))
  form.reset()
  for (const [name, text] of Object.entries(texts)) {
    const element = dialog.querySelector(`[data-text=${name}]`)
    if (element) element.textContent = text
  }
  prepare(form)
  return new Promise((resolve) => {
    /** @type {T | undefined} */
    let result
    submitWith(form, async (data) => {
      result = await submit(data)
      if (result !== undefined) dialog.close()
    })
    dialog.onclick = ({ target }) => target instanceof Element && target.closest('[data-close]') && dialog.close()
    dialog.onclose = () => resolve(result)
    dialog.showModal()
  })
}

/** Closes any open dialog. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog')) dialog.close()
}

/**
 * Handles all further submissions of the form.
 * @param {HTMLFormElement} form
 * @param {(data: FormData) => Promise<unknown>} submit
 */
export function submitWith(form, submit) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('[type=submit]'))
  const text = button.dataset.text ?? button.textContent
  button.dataset.text = text
  showError(form, '')

  form.onsubmit = async (event) => {
    event.preventDefault()
    if (button.ariaDisabled === 'true') return
    showError(form, '')
    button.ariaDisabled = 'true'
    button.textContent = button.dataset.busyText ?? text
    try {
      await submit(new FormData(form))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      showError(form, error.message)
    } finally {
      button.ariaDisabled = null
      button.textContent = text
    }
  }
}

/** @param {HTMLFormElement} form @param {string} message */
export function showError(form, message) {
  const alert = /** @type {HTMLElement} */ (form.querySelector('[role=alert]'))
  const field = /** @type {HTMLInputElement | null} */ (form.querySelector('input:not([type=radio], [type=checkbox])'))
  alert.textContent = message
  field?.setAttribute('aria-invalid', String(message !== ''))
  if (message) field?.focus()
}

/** Selects the status of the redirect that is set, which can end. @param {HTMLFormElement} form @param {number} [status] */
export function offerStatuses(form, status) {
  byId('no-redirect').hidden = status === undefined
  const choice = /** @type {HTMLInputElement} */ (form.querySelector(`[name=status][value="${status ?? 301}"]`))
  choice.checked = true
}

/**
 * Says what the removal of the primary domain ends, and offers the others as the next one, live ones first.
 * @param {Domains} list
 * @param {string} host The domain to be removed.
 */
export function offerPrimary({ domains, primary }, host) {
  const others = domains.filter(({ domain }) => domain !== host)
  const redirects = others.filter(({ redirect }) => redirect !== undefined).length
  byId('next-primary').hidden = primary !== host || others.length === 0
  byId('lost-redirects').textContent =
    redirects === 0 ? '' : ` ${redirects === 1 ? '1 domain redirects' : `${redirects} domains redirect`} to it.`
  const live = others.filter(({ state }) => state === 'live')
  const options = primary === host ? [...live, ...others.filter((domain) => !live.includes(domain))] : []
  const items = options.map(
    ({ domain, displayName, state }) =>
      html`<option value="${domain}">${displayName}${state !== 'live' && ' (not live yet)'}</option>`,
  )
  fill(byId('next'), html`${items}<option value="">None: redirects end</option>`)
}
