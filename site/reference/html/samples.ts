// The samples of all operations in one language, on a page of its own: scripts take them from there.
import type { Reference } from '../tree.ts'
import { codeBlock } from './code.ts'
import { type Html, html } from './markup.ts'

/** A language beyond those of the reference. */
export interface MoreSamples {
  path: string
  lang: string
  label: string
  /** By operationId. */
  samples(): ReadonlyMap<string, string>
}

export function samplesHtml({ groups }: Reference, { label, lang, samples }: MoreSamples, root: string) {
  const operations = groups.flatMap((group) => group.operations).filter(({ id }) => samples().has(id))
  const links = operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>\n`)
  const sections = operations.map(
    ({ id, summary }) => html`<section class="guide-section" id="${id}">
<h2>${summary}</h2>
${codeBlock(String(samples().get(id)), lang, `the ${label} sample of ${summary}`)}</section>
`,
  )
  return {
    contents: html`<p aria-hidden="true">Documentation</p>
<ul aria-label="Documentation"><li><a href="${root}docs">API reference</a></li></ul>
<p aria-hidden="true">Samples</p>
<ul aria-label="Samples">${links}</ul>
`,
    content: html`<div class="reference">
<section class="introduction"><div class="introduction-prose">
<h1>Samples in ${label}</h1>
</div></section>
${sections}</div>
`,
  }
}

/** The choice beside the tabs; scripts load what is chosen. */
export function languageChoice(summary: string, languages: readonly MoreSamples[]): Html {
  const options = languages.map(({ path, label }) => html`<option value="${path}">${label}</option>`)
  return html`<select class="more-languages needs-script" autocomplete="off" aria-label="More languages for ${summary}"><option value="">More</option>${options}</select>`
}
