// Tabs that need no script: radio buttons, each followed by its label and its panel, of which the style sheet shows the
// one that is checked.
import { type Html, html } from './markup.ts'

export interface Tab {
  value: string
  label: Html
  /** The id of the panel, if it has an address. */
  id?: string
  panel: Html
}

/** The first is shown. `name` distinguishes the buttons of one group from those of all others. */
export function tabs(kind: { group: string; panel: string }, name: string, label: string, items: readonly Tab[]): Html {
  return html`<div class="tabs ${kind.group}" role="radiogroup" aria-label="${label}">
${items.map(
  (
    { value, label, id, panel },
    i,
  ) => html`<input type="radio" autocomplete="off" name="${name}" id="${name}-${String(i)}" value="${value}"${
    i === 0 && html` checked`
  }><label for="${name}-${String(i)}">${label}</label>
<div class="tab-panel ${kind.panel}"${id !== undefined && html` id="${id}"`} data-tab="${value}">
${panel}</div>
`,
)}</div>
`
}
