// The field for the API key near the top of the page.
import { access, enterKey, onAccess, verdicts } from './access.js'
import { probe } from './servers.js'

export function startKey() {
  const form = /** @type {HTMLFormElement} */ (document.querySelector('.access'))
  const input = /** @type {HTMLInputElement} */ (form.querySelector('input'))
  const output = /** @type {HTMLOutputElement} */ (form.querySelector('output'))
  const hint = output.textContent
  const enter = () => input.value !== access.key && enterKey(input.value, probe())
  input.addEventListener('change', enter)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    enter()
  })
  onAccess(() => {
    const { key, verdict } = access
    input.value = key
    input.setAttribute('aria-invalid', String(verdict === 'rejected'))
    output.textContent = verdicts[verdict] || hint
    output.dataset.verdict = verdict
  })
}
