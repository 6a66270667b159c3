// Copies a text. Where the browser does not let the page do so (on plain http), it is selected for the user to copy.

/** Whether it was copied. @param {Element} element The one that shows the text. */
export async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(element)
    return false
  }
}
