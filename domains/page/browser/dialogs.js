// The dialogs of index.html: each is a form to complete or cancel.
import { byId } from './dom.js'
import { submitWith } from './forms.js'

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
    const place = dialog.querySelector(`[data-text=${name}]`)
    if (place) place.textContent = text
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
