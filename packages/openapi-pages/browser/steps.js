// The first screen: the choice of a key, and what sends the first call.
import { baseUrl, credentialsOf } from './access.js'
import { explain, load } from './load.js'

export function startSteps() {
  const choice = /** @type {HTMLSelectElement | null} */ (document.querySelector('#key-choice'))
  choice?.addEventListener('change', () => {
    const panels = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-key]'))
    for (const panel of panels) panel.hidden = panel.dataset.key !== choice.value
  })
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('.steps .send'))
  const answer = /** @type {HTMLElement | null} */ (document.querySelector('.steps .answer'))
  const { url = '', schemes = '[]' } = button?.dataset ?? {}
  button?.addEventListener('click', async () => {
    if (button.ariaDisabled === 'true') return
    button.ariaDisabled = 'true'
    try {
      const { send } = await load(url)
      await send(button, baseUrl(), credentialsOf(JSON.parse(schemes)))
    } catch {
      if (answer)
        await explain(answer, url, 'The call cannot be loaded. Check the connection and press the button again.')
    }
    button.ariaDisabled = null
  })
}
