// Forms that are sent by script: one at a time, and what is refused is said at the field.
import { ApiError } from './api.js'

/**
 * Sends the form with `send` from now on.
 * @param {HTMLFormElement} form
 * @param {(data: FormData) => Promise<unknown>} send
 */
export function submitWith(form, send) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('[type=submit]'))
  const text = button.dataset.text ?? button.textContent
  button.dataset.text = text
  sayError(form, '')

  form.onsubmit = async (event) => {
    event.preventDefault()
    if (button.ariaDisabled === 'true') return
    sayError(form, '')
    button.ariaDisabled = 'true'
    button.textContent = button.dataset.busyText ?? text
    try {
      await send(new FormData(form))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      sayError(form, error.message)
    } finally {
      button.ariaDisabled = null
      button.textContent = text
    }
  }
}

/** @param {HTMLFormElement} form @param {string} message */
export function sayError(form, message) {
  const alert = /** @type {HTMLElement} */ (form.querySelector('[role=alert]'))
  const field = /** @type {HTMLInputElement | null} */ (form.querySelector('input:not([type=radio])'))
  alert.textContent = message
  field?.setAttribute('aria-invalid', String(message !== ''))
  if (message) field?.focus()
}
