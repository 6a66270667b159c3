// The choices of the dialog "Add domain" for an apex or its www name: the server knows them, by the Public Suffix List.
import { ApiError } from './api.js'
import { byId, h } from './dom.js'

/** @typedef {import('./api.js').Schemas['PairChoices']} PairChoices */

const PAUSE = 200 // milliseconds after a key

/**
 * Offers the choices for the name in the field, as the user types it.
 * @param {import('./api.js').Api} api
 * @returns {(typed: string) => Promise<boolean>} Resolves with true if the user has seen the choices for this name.
 */
export function offerPair(api) {
  const field = /** @type {HTMLInputElement} */ (byId('domain'))
  let seen = ''
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  const typedName = () => field.value.trim()

  /** @param {string} typed */
  async function look(typed) {
    if (typed === seen) return
    /** @type {PairChoices} */
    const none = { choices: [] }
    const found = /[^.]\.[^.]/.test(typed) ? await api.getPairChoices(typed) : none
    if (typed !== typedName() || typed === seen) return // shown again, a choice would lose the focus
    seen = typed
    show(found)
  }

  /** Without an answer there is no offer yet: the next key, or Add, asks again. @param {unknown} error */
  function ignore(error) {
    if (!(error instanceof ApiError)) throw error
  }

  field.oninput = () => {
    clearTimeout(timer)
    timer = setTimeout(() => look(typedName()).catch(ignore), PAUSE)
  }
  show({ choices: [] })

  return async (typed) => {
    const isSeen = typed === seen
    clearTimeout(timer)
    await look(typed)
    const [first] = byId('pair').querySelectorAll('input')
    if (isSeen || !first) return true
    first.focus()
    return false
  }
}

/** @param {PairChoices} offer */
function show({ question = '', choices }) {
  const place = byId('pair')
  place.hidden = choices.length === 0
  place.replaceChildren(h('legend', {}, question), ...choices.map(choiceView))
  byId('pair-status').textContent = question
}

/** @param {PairChoices['choices'][number]} choice @param {number} index */
function choiceView({ pair, text, note }, index) {
  return h(
    'label',
    { class: 'choice' },
    h('input', { type: 'radio', name: 'pair', value: pair ?? '', checked: index === 0 }),
    h('span', {}, text, note !== undefined && h('small', {}, note)),
  )
}
