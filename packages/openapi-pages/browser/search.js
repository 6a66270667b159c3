// The search: a dialog that works by keyboard alone. What finds is loaded when it first opens.
import { explain, load } from './load.js'

export function startSearch() {
  const reference = /** @type {HTMLElement} */ (document.querySelector('.reference'))
  const dialog = makeDialog()
  const input = /** @type {HTMLInputElement} */ (dialog.querySelector('input'))
  const list = /** @type {HTMLElement} */ (dialog.querySelector('[role=listbox]'))
  const status = /** @type {HTMLElement} */ (dialog.querySelector('[role=status]'))
  const button = /** @type {HTMLElement | null} */ (document.querySelector('.search-button'))
  const url = String(button?.dataset.url)
  /** @type {ReturnType<typeof import('./search-results.js')['resultsIn']> | undefined} */
  let resultsOf
  let selected = 0

  const open = async () => {
    if (!dialog.open) dialog.showModal()
    input.select()
    if (resultsOf) return
    status.textContent = 'Loading…'
    try {
      const { resultsIn, all } = await load(url)
      resultsOf ??= resultsIn(reference, all)
      update()
    } catch {
      await explain(status, url, 'The search cannot be loaded. Check the connection, and open it again.')
    }
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
    if (!resultsOf) return
    const { options, count } = resultsOf(input.value)
    list.replaceChildren(...options)
    status.textContent = count
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
  button?.addEventListener('click', open)
  button?.addEventListener('pointerenter', () => load(url).catch(() => {}), { once: true })
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const isTyping = target instanceof HTMLElement && target.matches('input, select, textarea')
    const isShortcut =
      (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) || (key === '/' && !isTyping && !ctrlKey && !metaKey)
    if (!isShortcut || altKey) return
    event.preventDefault()
    void open()
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
