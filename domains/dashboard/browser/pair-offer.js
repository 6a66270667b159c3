// The choices of the dialog "Add domain" for an apex or its www name: the server knows them, by the Public Suffix List.
import { byId } from './dom.js'
import { fill, html } from './markup.js'

/** @import { Api, Schemas } from './api.js' */
/** @typedef {Schemas['PairChoices']} PairChoices */

/**
 * Offers the choices for the name in the field, once it is to be added.
 * @param {Api} api
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
  const fieldset = byId('pair')
  fieldset.hidden = choices.length === 0
  fill(fieldset, html`<legend>${question}</legend>${choices.map(choiceView)}`)
  byId('pair-status').textContent = question
}

/** @param {PairChoices['choices'][number]} choice @param {number} index */
function choiceView({ pair, text, note }, index) {
  return html`
    <label class="choice">
      <input type="radio" name="pair" value="${pair ?? ''}" ${index === 0 && 'checked'}>
      <span>${text}${note !== undefined && html`<small>${note}</small>`}</span>
    </label>`
}
