// The keys of an operation, in its form as near the top of the page: a choice, if there are several ways to be allowed.
import { h } from './elements.js'

/** @typedef {import('./request.js').Credential} Credential */
/** @typedef {import('./try-it.js').Page} Page */

/** @param changed is called after another way was chosen */
export function keyFields(
  /** @type {import('./request.js').Callable['alternatives']} */ alternatives,
  /** @type {Page} */ page,
  /** @type {() => void} */ changed,
) {
  let chosen = page.enteredOf(alternatives, ({ credentials }) => credentials.map(({ scheme }) => scheme))
  const container = h('div')
  const options = alternatives.map(({ name }) => h('option', { selected: name === chosen?.name }, name))
  const select = h('select', { id: 'try-it-access', onchange }, ...options)
  const fields = () => (chosen?.credentials ?? []).flatMap((credential) => fieldsOf(credential, page))
  container.replaceChildren(...fields())

  function onchange({ target }) {
    chosen = alternatives[target.selectedIndex]
    container.replaceChildren(...fields())
    changed()
  }

  return {
    element: h(
      'div',
      {},
      alternatives.length > 1 && h('p', { class: 'field' }, h('label', { for: select.id }, 'Authorization'), select),
      container,
    ),
    /** @returns {readonly Credential[]} */
    credentials: () => chosen?.credentials ?? [],
  }
}

/** One, or a user name and a password. */
function fieldsOf(
  /** @type {Credential} */ { scheme, label, in: location, variables },
  /** @type {Page} */ { enterKey, keyIn, keyOf, onAccess, showKey },
) {
  const id = `try-it-key-${scheme}`
  const verdict = h('span', { id: `${id}-verdict`, class: 'hint', role: 'status' })
  const inputs = variables.map(
    (_, at) =>
      /** @type {HTMLInputElement} */ (
        h('input', {
          id: at > 0 ? `${id}-password` : id,
          type: variables.length > 1 && at === 0 ? 'text' : 'password',
          autocomplete: 'off',
          spellcheck: 'false',
          'aria-describedby': verdict.id,
          onblur: enter,
          onkeydown: ({ key }) => key === 'Enter' && enter(),
        })
      ),
  )
  const show = () => showKey(scheme, inputs, verdict)
  onAccess(show)
  show()

  function enter() {
    const key = keyIn(inputs)
    if (key !== keyOf(scheme)) enterKey(scheme, key)
  }

  return inputs.map((input, at) =>
    h(
      'p',
      { class: 'field' },
      h('label', { for: input.id }, at > 0 ? 'Password' : label),
      input,
      at > 0 || variables.length === 1
        ? [
            location === 'cookie' &&
              h('span', { class: 'hint' }, 'A browser lets no page set a cookie: the key is only in the samples.'),
            verdict,
          ]
        : [],
    ),
  )
}
