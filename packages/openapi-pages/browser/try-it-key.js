// A key, in the form as near the top of the page.
import { h } from './elements.js'

export function keyField(
  /** @type {import('./request.js').Credential} */ { scheme, label, in: place },
  /** @type {import('./try-it.js').Page} */ { enterKey, keyOf, onAccess, showKey },
) {
  const id = `try-it-key-${scheme}`
  const input = /** @type {HTMLInputElement} */ (
    h('input', {
      id,
      type: 'password',
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-describedby': `${id}-verdict`,
      onblur: enter,
      onkeydown: ({ key }) => key === 'Enter' && enter(),
    })
  )
  const verdict = h('span', { id: `${id}-verdict`, class: 'hint', role: 'status' })
  const show = () => showKey(scheme, input, verdict)
  onAccess(show)
  show()

  function enter() {
    if (input.value !== keyOf(scheme)) enterKey(scheme, input.value)
  }

  return h(
    'p',
    { class: 'field' },
    h('label', { for: id }, label),
    input,
    place === 'cookie' &&
      h('span', { class: 'hint' }, 'A browser lets no page set a cookie: the key is only in the samples.'),
    verdict,
  )
}
