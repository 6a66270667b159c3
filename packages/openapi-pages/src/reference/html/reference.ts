// The reference as HTML, complete without scripts. The ids are those of the tree; the style sheets and the scripts in
// browser/ build on these classes:
//
//   .reference > .introduction, .group > .operation, .guide-section, .shared-responses, .headers, .schemas > .schema
//   .introduction > .steps > .step, .access, .links
//   .operation > .operation-prose > .fields, .response, .operation-aside > .request > .samples, .choice, .try-it, .examples
//   .fields > [id] > .facts, .place, .about, .within
//   .tabs > .tab-panel[data-tab]
//   .code > .copy, pre; .l is a line
//   data-search-terms is read by the search
//   .server-url marks the base URL in a block of code
//   .needs-script is hidden where scripts are off
//   .visually-hidden is for screen readers
import { guideOf } from '../guide.ts'
import { isSplit } from '../parts.ts'
import type { Group, Reference, SchemePart, Section } from '../tree.ts'
import { besideReference, type PageHtml } from './beside.ts'
import { anchor, fieldList, schemaSection } from './fields.ts'
import { type Html, html } from './markup.ts'
import { methodLabel, operationArticle, responseSection } from './operation.ts'
import type { PageContext } from './page-context.ts'
import { inline, leadOf, prose } from './prose.ts'
import { firstScreen, noAccess } from './steps.ts'

export function referenceHtml(reference: Reference, page: PageContext): Html {
  const { guide, groups, responses, headers, schemes, schemas, searchTerms } = reference
  const details = (id: string, title: string, content: Html | Html[], name = id) =>
    html`<section class="${name}" id="${id}">
<h2 id="${id}-heading">${anchor(id, title)}</h2>
${content}</section>
`
  const shared = responses.map((response) => responseSection(response, true))
  return html`<div class="reference" data-search-terms="${JSON.stringify(searchTerms)}">
${introduction(reference, page)}${groups.map((each) => group(each, page))}${guide.map(guideSection)}${
  shared.length > 0 && details('responses', 'Common errors', shared, 'shared-responses')
}${headers.length > 0 && details('headers', 'Response headers', headerTable(reference))}${schemes.length > 0 && details('security', 'Security', schemes.map(schemeSection))}${
  schemas.length > 0 &&
  details(
    'schemas',
    'Schemas',
    schemas.map(({ part }) => schemaSection(part())),
  )
}</div>
`
}

function schemeSection({ id, name, text }: SchemePart): Html {
  return html`<section class="scheme" id="${id}">\n<h3 id="${id}-heading">${anchor(id, name)}</h3>\n${prose(text)}</section>\n`
}

function headerTable({ headers, commonHeaders }: Reference): Html {
  const names = commonHeaders.map((name, i) => html`${i > 0 && ', '}<code>${name}</code>`)
  const common = names.length > 0 && html`<p>Every operation sends ${names}; they are not repeated above.</p>\n`
  return html`${common}${fieldList(headers, 'Header')}`
}

/** Links to every operation, section and schema. The titles of the lists are no headings: the page's own come first. */
export function contentsHtml(reference: Reference, path: string): Html {
  const { guide, groups, responses, headers, schemes, schemas } = reference
  const isFolded = isSplit(reference)
  const link = (id: string, title: string | Html) => html`<li><a href="#${id}">${title}</a></li>\n`
  const list = (title: string, links: readonly Html[], isOpen = false) =>
    isFolded
      ? html`<details${isOpen && ' open'}><summary>${title}</summary>\n<ul>${links}</ul></details>\n`
      : html`<p aria-hidden="true">${title}</p>\n<ul aria-label="${title}">${links}</ul>\n`
  const operation = ({ id, method, summary, isDeprecated }: Group['entries'][number]) =>
    link(
      id,
      html`${methodLabel(method)} ${isDeprecated ? html`<span><s>${breakable(summary)}</s> <small>deprecated</small></span>` : html`<span>${breakable(summary)}</span>`}`,
    )
  const sections = guide.map(({ id, title }) => link(id, title))
  return html`${groups.map(
    (group, at) =>
      html`${group.section !== groups[at - 1]?.section && group.section !== '' && html`<p class="tag-group" aria-hidden="true">${group.section}</p>\n`}${list(group.name, group.entries.map(operation), group.path === path)}`,
  )}${sections.length > 0 && list('Guide', sections)}${list('Details', [
    ...(responses.length > 0 ? [link('responses', 'Common errors')] : []),
    ...(headers.length > 0 ? [link('headers', 'Response headers')] : []),
    ...(schemes.length > 0 ? [link('security', 'Security')] : []),
    ...schemas.map(({ id, name }) => link(id, name)),
  ])}`
}

/** A name in snake case, which breaks between its words. */
const breakable = (name: string) => name.split(/(?<=_)/).map((part, at) => html`${at > 0 && html`<wbr>`}${part}`)

/** The title, the first paragraph, and the first call; then the rest of what the document says. */
function introduction(reference: Reference, page: PageContext): Html {
  const { title, version } = reference
  const { lead, rest } = leadOf(reference.introduction)
  const card = page.name === '' && firstScreen(reference, page)
  return html`<section class="introduction" id="introduction">
<h1 id="introduction-heading">${page.name === '' ? html`${title} <small>${version}</small>` : page.name}</h1>
${lead !== '' && html`<div class="lead">${prose(lead)}</div>\n`}${page.isApiKnown ? '' : noAccess}${card}${links(reference, page)}${prose(rest)}</section>
`
}

/** A link says the same. */
const kind = /^(Contact|License|Documentation): /

/** What leads to the same in other forms; at the end, whom to ask. */
function links({ about }: Reference, page: PageContext): Html {
  const { root, docs, path, more, hide, hasChangelog, document } = page
  const item = (content: Html, name?: string) =>
    html`<li${name !== undefined && html` class="${name}"`}>${content}</li>\n`
  const languages = more.map(
    (language, i) => html`${i > 0 && ', '}<a href="${root}${language.path.slice(1)}">${language.label}</a>`,
  )
  const downloads = ['json', 'yaml'].map((format) =>
    item(html`<a href="${root}${document}.${format}" download="openapi.${format}">openapi.${format}</a>`),
  )
  return html`<ul class="links" aria-label="This document">
${item(html`<button type="button" class="copy-page needs-script" data-url="${root}${path.slice(1)}.md">Copy as Markdown</button>`, 'needs-script')}${
  !hide.has('downloads') && downloads
}${!hide.has('swaggerUi') && item(html`<a href="${docs}/swagger/">Swagger UI</a>`)}${
  hasChangelog && item(html`<a href="${docs}/changelog">Changelog</a>`)
}${about.map((text, at) => item(inline(text.replace(kind, '')), at === 0 ? 'apart' : undefined))}</ul>
${languages.length > 0 && html`<noscript><p>Samples in more languages: ${languages}</p></noscript>\n`}`
}

function guideSection(section: Section): Html {
  const { id, title, text } = section
  return html`<section class="guide-section" id="${id}">
<h2 id="${id}-heading">${anchor(id, title)}</h2>
${prose(text, section)}</section>
`
}

function group(group: Group, page: PageContext): Html {
  const { id, name, description, operations, entries } = group
  return html`<section class="group" id="${id}">
<h2 id="${id}-heading"${page.name === name && html` class="visually-hidden"`}>${anchor(id, name)}</h2>
${description !== '' && html`<div class="lead">${prose(description)}</div>\n`}${(entries.length > 1 || operations.length === 0) && entryList(group)}${operations.map((each) => operationArticle(each, page))}</section>
`
}

function entryList({ name, entries }: Group): Html {
  const items = entries.map(
    ({
      id,
      method,
      path,
      summary,
      badges,
    }) => html`<li><a href="#${id}">${methodLabel(method)} <span class="what">${summary}${badges.map(({ text }) => html` <small>${text}</small>`)}</span> <code class="path">${pathInParts(path)}</code></a></li>
`,
  )
  return html`<ul class="operations" aria-label="Operations of ${name}">\n${items}</ul>\n`
}

const pathInParts = (path: string) =>
  path.split(/(\{[^{}]*\})/).map((part, at) => (at % 2 === 1 ? html`<i>${part}</i>` : part))

/** The changelog, given as Markdown, with a section for each version. */
export function changelogHtml(changelog: string, docs: string): PageHtml {
  const { title, introduction, guide } = guideOf(changelog)
  const heading = html`<h1>${title || 'Changelog'}</h1>\n<div class="lead">${prose(introduction)}</div>\n`
  return besideReference(docs, 'Changelog', guide, heading, guide.map(guideSection), ' changes')
}
