/** One listener for the buttons of all blocks of code. */
export function startCopying() {
  document.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement && target.matches('.code .copy')) {
      const code = target.closest('.code')?.querySelector('pre') ?? target
      void copyText(target, code.textContent ?? '', code)
    }
  })
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('.copy-page'))
  const text = async () => (await fetch(String(button?.dataset.url))).text()
  button?.addEventListener('click', () => copyText(button, text()))
}

const labels = new WeakMap()

/** The button shows the outcome until it loses the focus or the pointer. */
export async function copyText(
  /** @type {HTMLButtonElement} */ button,
  /** @type {string | Promise<string>} */ text,
  /** @type {Element | undefined} what shows the text, if anything does */ element = undefined,
) {
  const label = labels.get(button) ?? [...button.childNodes]
  labels.set(button, label)
  const reset = () => button.replaceChildren(...label)
  try {
    await write(text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = element ? copySelected(element) : 'Copying failed'
  }
  for (const type of ['blur', 'pointerleave']) button.addEventListener(type, reset, { once: true })
}

/** Safari writes what is still loading only if it is asked within the press. */
function write(/** @type {string | Promise<string>} */ text) {
  if (typeof text === 'string') return navigator.clipboard.writeText(text)
  const blob = text.then((loaded) => new Blob([loaded], { type: 'text/plain' }))
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}

/** Without https, pages have no clipboard: the text is selected, and copied as a reader would. @returns the outcome */
function copySelected(/** @type {Element} */ element) {
  getSelection()?.selectAllChildren(element)
  return document.execCommand('copy') ? 'Copied' : 'Selected: copy it'
}
