// The key, in the form as near the top of the page.
import { h } from './elements.js'

export function keyField(
  /** @type {readonly { in: string }[]} */ credentials,
  /** @type {import('./try-it.js').Page} */ { access, enterKey, onAccess, showAccess },
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
  const show = () => showAccess(input, verdict)
  onAccess(show)
  show()

  function enter() {
    if (input.value !== access.key) enterKey(input.value)
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
