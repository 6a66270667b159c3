// Forms submitted by script: one submission at a time, with errors shown at the field.
import { ApiError } from './api.js'

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
