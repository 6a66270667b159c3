// Pages beside the reference: their sections, and the way back to it.
import { type Html, html } from './markup.ts'

export interface PageHtml {
  contents: Html
  content: Html
}

/** @param parts the contents, each the id and the title of a section @param kind another class for the style sheets */
export function besideReference(
  docs: string,
  name: string,
  parts: readonly { id: string; title: string }[],
  introduction: Html,
  sections: readonly Html[],
  kind = '',
): PageHtml {
  const links = parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)
  return {
    contents: html`<p aria-hidden="true">Documentation</p>
<ul aria-label="Documentation"><li><a href="${docs}">API reference</a></li></ul>
<p aria-hidden="true">${name}</p>
<ul aria-label="${name}">${links}</ul>
`,
    content: html`<div class="reference${kind}">
<section class="introduction"><div class="introduction-prose">
${introduction}</div></section>
${sections}</div>
`,
  }
}
