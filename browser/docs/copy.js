// Copy buttons on the blocks of code.

/** Adds a button to every block that has none. */
export function addCopyButtons() {
  for (const block of document.querySelectorAll('pre')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => copyText(button, block.textContent ?? ''))
    const frame = document.createElement('div')
    frame.className = 'code'
    block.replaceWith(frame)
    frame.append(button, block)
  }
}

const labels = new WeakMap()

/** The button says whether it worked until it loses the focus or the pointer. */
export async function copyText(/** @type {HTMLButtonElement} */ button, /** @type {string | Promise<string>} */ text) {
  const label = labels.get(button) ?? button.textContent
  labels.set(button, label)
  const reset = () => {
    button.textContent = label
  }
  try {
    await navigator.clipboard.writeText(await text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Copying failed'
  }
  for (const type of ['blur', 'pointerleave']) button.addEventListener(type, reset, { once: true })
}

export function startCopyPage() {
  const button = /** @type {HTMLButtonElement} */ (document.querySelector('.copy-page'))
  const text = async () => (await fetch(String(button.dataset.url))).text()
  button.addEventListener('click', () => copyText(button, text()))
}
