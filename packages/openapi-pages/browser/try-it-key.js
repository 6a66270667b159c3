// The key, in the form as near the top of the page.
import { h } from './elements.js'

export function keyField(
  /** @type {readonly { in: string }[]} */ credentials,
  /** @type {import('./try-it.js').Page} */ { access, enterKey, onAccess, verdictText },
) {
  const input = /** @type {HTMLInputElement} */ (
    h('input', {
      id: 'try-it-key',
      type: 'password',
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-describedby': 'try-it-verdict',
      onblur: enter,
      onkeydown: ({ key }) => key === 'Enter' && enter(),
    })
  )
  const verdict = h('span', { id: 'try-it-verdict', class: 'hint', role: 'status' })
  const isCookie = credentials.every((one) => one.in === 'cookie')
  onAccess(follow)
  follow()

  function enter() {
    if (input.value !== access.key) enterKey(input.value)
  }

  function follow() {
    const isWrong = access.verdict === 'rejected' || access.verdict === 'malformed'
    if (access.verdict !== 'malformed') input.value = access.key
    input.setAttribute('aria-invalid', String(isWrong))
    verdict.textContent = verdictText()
    verdict.dataset.verdict = isWrong ? 'rejected' : access.verdict
  }

  return h(
    'p',
    { class: 'field' },
    h('label', { for: 'try-it-key' }, 'API key'),
    input,
    isCookie && h('span', { class: 'hint' }, 'A browser lets no page set a cookie: the key is only in the samples.'),
    verdict,
  )
}
