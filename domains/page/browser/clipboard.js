// Copies text to the clipboard. Where the browser does not allow it (over plain HTTP), selects the text for the user to copy.

/** Resolves with true if the text was copied. @param {Element} element The element that shows it. */
export async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(element)
    return false
  }
}
