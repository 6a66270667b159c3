// Blocks of code, colored, with a button that copies them. The base URL within them is marked: scripts replace it.
import { tokensOf } from '#browser/highlight.js'
import { exampleServer } from '../../server.ts'
import { type Html, html } from './markup.ts'

/** `lang` becomes a class: `language-sh`. `what` tells the button from others: `the example of Order`. */
export function codeBlock(text: string, lang: string, what: string): Html {
  const language = lang.toLowerCase()
  const tokens = tokensOf(text.trimEnd(), language).map(([kind, token]) =>
    kind === undefined ? withBaseUrl(token) : html`<span class="token-${kind}">${withBaseUrl(token)}</span>`,
  )
  return html`<div class="code"><button type="button" class="copy needs-script">Copy<span class="visually-hidden"> ${what}</span></button><pre tabindex="0"><code class="language-${language}">${tokens}</code></pre></div>\n`
}

function withBaseUrl(text: string): Html {
  const [first = '', ...others] = text.split(exampleServer)
  return html`${first}${others.map((part) => html`<span class="server-url">${exampleServer}</span>${part}`)}`
}
