/** One listener for the buttons of all blocks of code. */
export function startCopying() {
  document.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement && target.matches('.code > .copy')) {
      copyText(target, target.nextElementSibling?.textContent ?? '')
    }
  })
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('.copy-page'))
  const text = async () => (await fetch(String(button?.dataset.url))).text()
  button?.addEventListener('click', () => copyText(button, text()))
}

const labels = new WeakMap()

/** The button shows the outcome until it loses the focus or the pointer. */
export async function copyText(/** @type {HTMLButtonElement} */ button, /** @type {string | Promise<string>} */ text) {
  const label = labels.get(button) ?? [...button.childNodes]
  labels.set(button, label)
  const reset = () => button.replaceChildren(...label)
  try {
    await navigator.clipboard.writeText(await text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Copying failed'
  }
  for (const type of ['blur', 'pointerleave']) button.addEventListener(type, reset, { once: true })
}
