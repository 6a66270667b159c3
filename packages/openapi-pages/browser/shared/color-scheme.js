// Sets the color scheme before the first paint: the reader's choice, else the system's. A classic script, as modules
// run after it.
{
  const system = matchMedia('(prefers-color-scheme: dark)')
  const storageKey = 'color-scheme'

  const systemScheme = () => (system.matches ? 'dark' : 'light')
  const scheme = () => stored() ?? systemScheme()

  /** If the browser blocks the storage, nothing is remembered. */
  const stored = () => {
    try {
      return localStorage.getItem(storageKey)
    } catch {
      return unstored
    }
  }
  /** @type {string | null} */
  let unstored = null

  const apply = () => {
    const isDark = scheme() === 'dark'
    document.documentElement.classList.toggle('dark', isDark)
    document.querySelector('.color-scheme')?.setAttribute('aria-pressed', String(isDark))
  }

  /** The system's own scheme need not be remembered: it is followed again. */
  const choose = (/** @type {string} */ chosen) => {
    unstored = chosen
    try {
      if (chosen === systemScheme()) localStorage.removeItem(storageKey)
      else localStorage.setItem(storageKey, chosen)
    } catch {}
    apply()
  }

  apply()
  system.addEventListener('change', apply)
  addEventListener('storage', apply) // chosen in another tab
  addEventListener('DOMContentLoaded', () => {
    apply()
    const button = document.querySelector('.color-scheme')
    button?.addEventListener('click', () => choose(scheme() === 'dark' ? 'light' : 'dark'))
  })
}
