// Code: colored, in lines that wrap, with a button that copies it. The base URL within it is marked: scripts replace it.
import { linesOf, piecesOf } from '#browser/highlight.js'
import { brokenServer, exampleServer } from '../../server.ts'
import { type Html, html } from './markup.ts'

/** `lang` becomes a class: `language-sh`. `what` tells the button from others: `the example of Order`. */
export function codeBlock(text: string, lang: string, what: string): Html {
  return html`<div class="code"><button type="button" class="copy needs-script">Copy<span class="visually-hidden"> ${what}</span></button>${pre(text, lang)}</div>\n`
}

/** Classes are the first letters of kinds: the style sheet has the colors. */
export function pre(text: string, lang: string): Html {
  const language = lang.toLowerCase()
  const lines = linesOf(text.trimEnd(), language).map(({ className, tokens }) => {
    const parts = tokens.map(([kind, token]) =>
      kind === undefined ? withBaseUrl(token) : html`<span class="${kind.charAt(0)}">${withBaseUrl(token)}</span>`,
    )
    return html`<span class="${className}">${parts}</span>`
  })
  return html`<pre><code class="language-${language}">${lines}</code></pre>`
}

function withBaseUrl(text: string): Html {
  const [first = '', ...others] = text.split(exampleServer)
  const isAddress = text.includes('://')
  const broken = (part: string) => piecesOf(part, isAddress).map((piece, at) => html`${at > 0 && html`<wbr>`}${piece}`)
  return html`${broken(first)}${others.map(
    (part) => html`<span class="server-url">${brokenServer}</span>${/^[/?]/.test(part) && html`<wbr>`}${broken(part)}`,
  )}`
}
