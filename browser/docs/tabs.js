// The language of the samples: chosen once, it is shown for every operation, and kept.

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
