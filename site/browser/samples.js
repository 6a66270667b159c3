// The samples: a language chosen once applies to every operation and lasts; values that were sent replace the example.

const storageKey = 'sample-language'
const inputs = () =>
  /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('.samples input[type=radio]'))

export function startTabs() {
  select(stored())
  for (const input of inputs()) {
    input.addEventListener('change', () => {
      const { top } = input.getBoundingClientRect()
      select(input.value)
      scrollBy(0, input.getBoundingClientRect().top - top) // samples above may have changed their height
      store(input.value)
    })
  }
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

/** @type {Map<string, string>} By operation and example value. */
const shown = new Map()

/** Puts the value that is being sent into the samples of its operation. */
export function showInSamples(
  /** @type {string} */ operationId,
  /** @type {string} */ example,
  /** @type {string} */ value,
) {
  if (![example, value].every((text) => /^-?\d+$/.test(text))) return
  const key = `${operationId} ${example}`
  const pattern = new RegExp(`(?<![\\w-])${shown.get(key) ?? example}(?=n?\\b)`, 'g')
  for (const code of document.querySelectorAll(`[id="${operationId}"] .samples code`)) {
    const nodes = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (nodes.nextNode()) {
      const text = /** @type {Text} */ (nodes.currentNode)
      if (pattern.test(text.data)) text.data = text.data.replace(pattern, value)
    }
  }
  shown.set(key, value)
}
