// The search: a dialog that works by keyboard alone. Its index is made when it first opens.
import { searchIn } from './search-index.js'
import { excerpt, foundIn, split } from './search-text.js'

/** @import { Hit } from './search-index.js' */

const most = 30

export function startSearch() {
  const reference = /** @type {HTMLElement} */ (document.querySelector('.reference'))
  const dialog = makeDialog()
  const input = /** @type {HTMLInputElement} */ (dialog.querySelector('input'))
  const list = /** @type {HTMLElement} */ (dialog.querySelector('[role=listbox]'))
  const status = /** @type {HTMLElement} */ (dialog.querySelector('[role=status]'))
  /** @type {((phrase: string) => Hit[]) | undefined} */
  let search
  let selected = 0

  const open = () => {
    if (!dialog.open) dialog.showModal()
    input.select()
    search ??= searchIn(reference)
  }
  const select = (/** @type {number} */ index) => {
    selected = Math.max(0, Math.min(index, list.children.length - 1))
    for (const option of list.children) option.setAttribute('aria-selected', 'false')
    const option = list.children[selected]
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', option?.id ?? '')
  }
  const update = () => {
    const found = search?.(input.value) ?? []
    list.replaceChildren(...found.slice(0, most).map(optionOf))
    status.textContent = input.value.trim() && countOf(found.length)
    select(0)
  }
  const choose = (/** @type {Element | null | undefined} */ option) => {
    if (!(option instanceof HTMLElement)) return
    dialog.close()
    goTo(String(option.dataset.target))
  }

  input.addEventListener('input', update)
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) select(selected + step)
    else if (event.key === 'Enter') choose(list.children[selected])
    else return
    event.preventDefault()
  })
  list.addEventListener('click', ({ target }) =>
    choose(target instanceof Element ? target.closest('[role=option]') : null),
  )
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  document.querySelector('.search-button')?.addEventListener('click', open)
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const isTyping = target instanceof HTMLElement && target.matches('input, select, textarea')
    const isShortcut =
      (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) || (key === '/' && !isTyping && !ctrlKey && !metaKey)
    if (!isShortcut || altKey) return
    event.preventDefault()
    open()
  })
}

/** One entry of the history, as for a link. Tab continues from there. */
function goTo(/** @type {string} */ id) {
  if (id.includes('#')) return location.assign(id) // on another page
  location.hash = id
  const target = document.getElementById(id)
  if (!target) return
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}

function countOf(/** @type {number} */ count) {
  if (count === 0) return 'Nothing found'
  return count > most ? `The first ${most} of ${count} results` : `${count} ${count === 1 ? 'result' : 'results'}`
}

function optionOf(/** @type {Hit} */ hit, /** @type {number} */ index) {
  const { id, title, kind, context, terms } = hit
  const option = document.createElement('li')
  option.id = `search-${index}`
  option.role = 'option'
  option.dataset.target = id
  const line = (/** @type {string} */ name, /** @type {string} */ content) => {
    const span = document.createElement('span')
    span.className = name
    span.append(...split(content, terms).map((part, i) => (i % 2 === 0 ? part : marked(part))))
    return span
  }
  option.append(
    line('search-kind', kind),
    line('search-title', title),
    line('search-context', context),
    line('search-text', excerpt(foundIn(hit), terms)),
  )
  return option
}

function marked(/** @type {string} */ text) {
  return Object.assign(document.createElement('mark'), { textContent: text })
}

function makeDialog() {
  const dialog = document.createElement('dialog')
  dialog.className = 'search'
  dialog.setAttribute('aria-label', 'Search')
  dialog.innerHTML = `
    <input type="text" role="combobox" aria-label="Search the documentation" aria-expanded="true"
      aria-controls="search-list" aria-autocomplete="list" autocomplete="off" spellcheck="false"
      placeholder="Operations, codes, headers, fields, guide">
    <ul id="search-list" role="listbox" aria-label="Results"></ul>
    <p class="hint"><span role="status"></span><span class="keys"><kbd>↑</kbd> <kbd>↓</kbd> select <kbd>Enter</kbd> open
      <kbd>Esc</kbd> close</span></p>`
  document.body.append(dialog)
  return dialog
}
