// The samples: a language chosen once applies to every operation and lasts.

import { showBaseUrl } from './access.js'

const storageKey = 'sample-language'
const inputs = () =>
  /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('.samples input[type=radio]'))
const choices = () => /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll('.more-languages'))

export function startTabs() {
  const language = stored()
  select(language)
  // Also for tabs that are added later.
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.closest('.samples')) choose(target.value, target)
    if (target instanceof HTMLSelectElement && target.matches('.more-languages')) void add(target)
  })
  const option = [...(choices()[0]?.options ?? [])].find(({ value, label }) => value && label === language)
  if (option) load(option.value, option.label).then(() => select(language))
}

function choose(/** @type {string} */ language, /** @type {HTMLElement} */ near) {
  const { top } = near.getBoundingClientRect()
  select(language)
  scrollBy(0, near.getBoundingClientRect().top - top) // samples above may have changed their height
  store(language)
}

async function add(/** @type {HTMLSelectElement} */ choice) {
  const { value, label } = /** @type {HTMLOptionElement} */ (choice.selectedOptions[0])
  choice.value = ''
  if (!value) return
  await load(value, label)
  choose(label, choice)
}

/** @type {Map<string, Promise<void>>} By path. */
const loads = new Map()

/** Adds the samples of one more language once. After a failure, the next choice tries again. */
function load(/** @type {string} */ path, /** @type {string} */ label) {
  const loading = loads.get(path) ?? addTabs(path, label)
  loads.set(path, loading)
  loading.catch(() => loads.delete(path))
  return loading
}

/** For each operation, a tab. */
async function addTabs(/** @type {string} */ path, /** @type {string} */ label) {
  const root = new URL(String(document.body.dataset.root), location.href)
  const text = await (await fetch(new URL(path.slice(1), root))).text()
  // The policy of this page does not allow the styles of that one.
  const page = new DOMParser().parseFromString(text.replace(/<style>.*?<\/style>/s, ''), 'text/html')
  for (const choice of choices()) {
    const { id = '' } = choice.closest('.operation') ?? {}
    const code = page.getElementById(id)?.querySelector('.code')
    const group = choice.parentElement?.querySelector('input')?.name
    if (code) choice.before(...tab(`${group}-${label}`, String(group), label, code))
  }
  showBaseUrl()
  document.dispatchEvent(new Event('samples'))
}

/** As the page has them. */
function tab(
  /** @type {string} */ id,
  /** @type {string} */ name,
  /** @type {string} */ language,
  /** @type {Element} */ code,
) {
  const input = Object.assign(document.createElement('input'), { type: 'radio', id, name, value: language })
  input.className = 'visually-hidden'
  const label = Object.assign(document.createElement('label'), { htmlFor: id, textContent: language })
  const panel = document.createElement('div')
  panel.className = 'tab-panel'
  panel.dataset.tab = language
  panel.append(document.adoptNode(code))
  return [input, label, panel]
}

function select(/** @type {string | null} */ language) {
  for (const input of inputs()) if (input.value === language) input.checked = true
}

/** If the browser blocks the storage, nothing is remembered. */
function stored() {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

function store(/** @type {string} */ language) {
  try {
    localStorage.setItem(storageKey, language)
  } catch {}
}
