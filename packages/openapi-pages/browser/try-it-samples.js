// Writes the samples of an operation anew, from the values of the form.
import { colored } from './elements.js'
import { languages, moreLanguages } from './languages.js'

/** What is below them stays where it is: the button that opens the form. */
export function showInSamples(/** @type {HTMLElement} */ button, /** @type {import('./languages.js').Call} */ call) {
  const { top } = button.getBoundingClientRect()
  const panels = button.parentElement?.querySelectorAll('.samples > .tab-panel') ?? []
  for (const panel of /** @type {Iterable<HTMLElement>} */ (panels)) {
    const language = [...languages, ...moreLanguages].find(({ label }) => label === panel.dataset.tab)
    const lines = language && colored(language.write(call).trimEnd(), language.lang.toLowerCase())
    if (lines) panel.querySelector('code')?.replaceChildren(...lines)
  }
  scrollBy(0, button.getBoundingClientRect().top - top)
}
