// The changelog as HTML, with a section for each version.
import { guideOf } from '../guide.ts'
import { type Html, html } from './markup.ts'
import { prose } from './prose.ts'
import { guideSection } from './reference.ts'

/** `root` leads from the page to the root of the server. */
export function changelogHtml(changelog: string, root: string): { contents: Html; content: Html } {
  const { introduction, guide } = guideOf(changelog)
  const versions = guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)
  return {
    contents: html`<section><h2>Documentation</h2>
<ul><li><a href="${root}docs">API reference</a></li></ul></section>
<section><h2>Changelog</h2>
<ul>${versions}</ul></section>
`,
    content: html`<div class="reference">
<section class="introduction"><div class="introduction-prose">
${prose(introduction)}</div></section>
${guide.map(guideSection)}</div>
`,
  }
}
