// Tabs.
import { type Html, html } from './markup.ts'

interface Tab {
  value: string
  label: Html
  panel: Html
}

/**
 * Tabs that need no script: radio buttons, each followed by its label and its panel; the style sheet shows the panel of
 * the checked one. `name` distinguishes the buttons of one group from those of all others; `more` stands beside them.
 */
export function tabs(
  kind: string,
  name: string,
  label: string,
  items: readonly Tab[],
  more: Html | false = false,
): Html {
  const tab = ({ value, label, panel }: Tab, i: number) => {
    const id = `${name}-${i}`
    return html`<input type="radio" class="visually-hidden" autocomplete="off" name="${name}" id="${id}" value="${value}"${i === 0 && ' checked'}><label for="${id}">${label}</label>
<div class="tab-panel" data-tab="${value}">
${panel}</div>
`
  }
  return html`<div class="tabs ${kind}" role="radiogroup" aria-label="${label}">
${items.map(tab)}${more}</div>
`
}
