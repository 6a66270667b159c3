// The dialogs of index.html: each a form that asks for something before it is done.
import { byId } from './dom.js'
import { submitWith } from './forms.js'

/**
 * Opens a dialog. Resolves with what `send` gave, or with undefined when it was cancelled; by then the focus is back where
 * it was.
 * @template T
 * @param {string} id
 * @param {Record<string, string>} texts What stands in its `data-text` places.
 * @param {(data: FormData) => Promise<T>} send
 * @returns {Promise<T | undefined>}
 */
export function ask(id, texts, send) {
  const dialog = /** @type {HTMLDialogElement} */ (byId(id))
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector('form'))
  form.reset()
  for (const [name, text] of Object.entries(texts)) {
    const place = dialog.querySelector(`[data-text=${name}]`)
    if (place) place.textContent = text
  }
  return new Promise((resolve) => {
    /** @type {T | undefined} */
    let result
    submitWith(form, async (data) => {
      result = await send(data)
      dialog.close()
    })
    dialog.onclick = ({ target }) => target instanceof Element && target.closest('[data-close]') && dialog.close()
    dialog.onclose = () => resolve(result)
    dialog.showModal()
  })
}

/** Closes whatever is open. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog')) dialog.close()
}
