// Blocks of code. The base URL within them is marked, so that the page can put another in its place.
import { exampleServer } from '../../spec/document.ts'
import { type Html, html } from './markup.ts'

/** `lang` becomes a class: `language-sh`. */
export function codeBlock(text: string, lang: string): Html {
  const [first = '', ...others] = text.trimEnd().split(exampleServer)
  const marked = others.map((part) => html`<span class="server-url">${exampleServer}</span>${part}`)
  return html`<pre tabindex="0"><code class="language-${lang.toLowerCase()}">${first}${marked}</code></pre>\n`
}
