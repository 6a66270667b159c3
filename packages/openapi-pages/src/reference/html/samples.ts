// The samples of all operations in one language, on a page of its own: scripts take them from there.
import type { Reference } from '../tree.ts'
import { besideReference, type PageHtml } from './beside.ts'
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

export function samplesHtml({ groups }: Reference, { label, lang, samples }: MoreSamples, docs: string): PageHtml {
  const operations = groups.flatMap((group) => group.operations).filter(({ operationId }) => samples().has(operationId))
  const sections = operations.map(
    ({ id, operationId, summary }) => html`<section class="guide-section" id="${id}">
<h2>${summary}</h2>
${codeBlock(String(samples().get(operationId)), lang, `the ${label} sample of ${summary}`)}</section>
`,
  )
  const parts = operations.map(({ id, summary }) => ({ id, title: summary }))
  return besideReference(docs, 'Samples', parts, html`<h1>Samples in ${label}</h1>\n`, sections)
}

/** The choice beside the tabs; scripts load what is chosen. */
export function languageChoice(summary: string, languages: readonly MoreSamples[]): Html {
  const options = languages.map(({ path, label }) => html`<option value="${path}">${label}</option>`)
  return html`<select class="more-languages needs-script" autocomplete="off" aria-label="More languages for ${summary}"><option value="">More</option>${options}</select>`
}
