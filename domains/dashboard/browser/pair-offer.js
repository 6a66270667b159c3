// The choices of the dialog "Add domain" for an apex or its www name: the server knows them, by the Public Suffix List.
import { byId, h } from './dom.js'

/** @typedef {import('./api.js').Schemas['PairChoices']} PairChoices */

/**
 * Offers the choices for the name in the field, once it is to be added.
 * @param {import('./api.js').Api} api
 * @returns {(typed: string) => Promise<boolean>} Resolves with true if the user has seen the choices for this name.
 */
export function offerPair(api) {
  let seen = ''

  function clear() {
    seen = ''
    show({ choices: [] })
  }

  byId('domain').oninput = clear
  clear()
  return async (typed) => {
    if (typed === seen || !/[^.]\.[^.]/.test(typed)) return true
    const offer = await api.getPairChoices(typed)
    seen = typed
    show(offer)
    byId('pair').querySelector('input')?.focus()
    return offer.choices.length === 0
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
