// The reference as HTML, complete without scripts. The ids are those of the tree; the style sheets and the scripts in
// browser/ build on these classes:
//
//   .reference > .introduction, .group > .operation, .guide-section, .shared-responses, .headers, .schemas > .schema
//   .introduction > .introduction-prose, .access
//   .operation > .operation-prose > .response, .operation-aside > .try-it, .samples, .examples
//   .tabs > .tab-panel[data-tab]
//   .code > .copy, pre
//   data-search-terms is read by the search
//   .server-url marks the base URL in a block of code
//   .needs-script is hidden where scripts are off
//   .visually-hidden is for screen readers
import { guideOf } from '../guide.ts'
import type { Key } from '../keys.ts'
import { isSplit } from '../parts.ts'
import type { Group, Reference, SchemePart, Section } from '../tree.ts'
import { besideReference, type PageHtml } from './beside.ts'
import { anchor, fieldTable, schemaSection } from './fields.ts'
import { type Html, html } from './markup.ts'
import { methodLabel, operationArticle, responseSection } from './operation.ts'
import type { Place } from './place.ts'
import { inline, prose } from './prose.ts'

export function referenceHtml(reference: Reference, place: Place): Html {
  const { guide, groups, responses, headers, schemes, schemas, searchTerms } = reference
  const details = (id: string, title: string, content: Html | Html[], name = id) =>
    html`<section class="${name}" id="${id}">
<h2 id="${id}-heading">${anchor(id, title)}</h2>
${content}</section>
`
  const shared = responses.map((response) => responseSection(response, true))
  return html`<div class="reference" data-search-terms="${JSON.stringify(searchTerms)}">
${introduction(reference, place)}${groups.map((each) => group(each, place))}${guide.map(guideSection)}${
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
  return html`${common}${fieldTable('Response headers', 'Header', headers)}`
}

/** Links to every operation, section and schema. The titles of the lists are no headings: the page's own come first. */
export function contentsHtml(reference: Reference, path: string): Html {
  const { guide, groups, responses, headers, schemes, schemas } = reference
  const isFolded = isSplit(reference)
  const isHere = !isFolded && path === reference.base
  const link = (id: string, title: string | Html, endpoint?: string) =>
    html`<li><a href="#${id}"${endpoint !== undefined && html` data-endpoint="${endpoint}"`}>${title}</a></li>\n`
  const list = (title: string, links: readonly Html[], isOpen = false) =>
    isFolded
      ? html`<details${isOpen && ' open'}><summary>${title}</summary>\n<ul>${links}</ul></details>\n`
      : html`<p aria-hidden="true">${title}</p>\n<ul aria-label="${title}">${links}</ul>\n`
  const operation = ({ id, method, path, summary, isDeprecated }: Group['entries'][number]) =>
    link(
      id,
      html`${methodLabel(method)} ${!isDeprecated ? summary : html`<span><s>${summary}</s> <small>deprecated</small></span>`}`,
      isHere ? undefined : `${method} ${path}`,
    )
  const sections = guide.map(({ id, title }) => link(id, title))
  return html`${groups.map((group) => list(group.name, group.entries.map(operation), group.path === path))}${
    sections.length > 0 && list('Guide', sections)
  }${list('Details', [
    ...(responses.length > 0 ? [link('responses', 'Common errors')] : []),
    ...(headers.length > 0 ? [link('headers', 'Response headers')] : []),
    ...(schemes.length > 0 ? [link('security', 'Security')] : []),
    ...schemas.map(({ id, name }) => link(id, name)),
  ])}`
}

function introduction(reference: Reference, place: Place): Html {
  const { title, version, introduction, about } = reference
  const { root, docs, path, more, hide } = place
  const languages = more.map((one, i) => html`${i > 0 && ', '}<a href="${root}${one.path.slice(1)}">${one.label}</a>`)
  return html`<section class="introduction" id="introduction">
<div class="introduction-prose">
<h1 id="introduction-heading">${place.name === '' ? html`${title} <small>${version}</small>` : place.name}</h1>
${prose(introduction)}<p class="page-actions"><button type="button" class="copy-page needs-script" data-url="${root}${path.slice(1)}.md">Copy page as Markdown</button>${
    !hide.has('downloads') &&
    html`
<span>Download: <a href="${root}openapi.json" download="openapi.json">openapi.json</a>, <a href="${root}openapi.yaml" download="openapi.yaml">openapi.yaml</a></span>`
  }
${
  place.hasChangelog &&
  html`<a href="${docs}/changelog">Changelog</a>
`
}${!hide.has('swaggerUi') && html`<a href="${docs}/swagger/">Swagger UI</a>`}${about.map((text) => html`\n<span>${inline(text)}</span>`)}</p>
${languages.length > 0 && html`<noscript><p>Samples in more languages: ${languages}</p></noscript>\n`}</div>
${place.isApiKnown ? access(reference, place) : noAccess}</section>
`
}

const noAccess = html`<p class="access">This site serves only the documentation. In the samples, replace <code>YOUR_API_HOST</code> with the host of the API.</p>
`

/** The base URL, a choice if there are several servers, and a field for each key, which needs a script. */
function access({ servers, keys }: Reference, { root, hide }: Place): Html {
  const all = servers.flatMap(({ addresses, description }) => addresses.map((url) => ({ url, description })))
  const url = (server: { url: string }) => (server.url.startsWith('/') ? `${root}${server.url.slice(1)}` : server.url)
  const [first, ...others] = all
  const chosen =
    first && others.length === 0
      ? html`<p class="field"><span class="label">Base URL</span> <code class="server-url" data-url="${url(first)}">${first.url}</code></p>`
      : html`<p class="field"><label for="server">Base URL</label> <select id="server" autocomplete="off">${all.map(
          (server) =>
            html`<option data-url="${url(server)}">${server.url}${server.description !== '' && ` (${server.description})`}</option>`,
        )}</select></p>`
  return html`<form class="access" aria-label="Server and API key">
${servers.length > 0 && chosen}${servers.map(({ variables }) => prose(variables))}
${!hide.has('tryIt') && keyFields(keys)}</form>
`
}

/** More of them open at a press. */
const MOST_KEYS = 2

/** Where there are several, each with the name of its scheme. */
function keyFields(keys: readonly Key[]): Html {
  const fields = keys.map((key) => keyField(key, keys.length > 1))
  if (keys.length <= MOST_KEYS) return html`${fields}`
  return html`<details class="needs-script"><summary>${String(keys.length)} keys</summary>\n${fields}</details>\n`
}

function keyField(
  { id, hintId, scheme, label, schemeId, probe, name, prefix, in: place, variables }: Key,
  isOneOfSeveral: boolean,
): Html {
  const how = schemeId !== undefined && html` <a class="hint" href="#${schemeId}">How to get one</a>`
  const probed = probe !== undefined && html` data-probe="${probe}"`
  const isPair = variables.length > 1
  const data = html`data-scheme="${scheme}" data-in="${place}" data-name="${name}" data-prefix="${prefix}"${probed}`
  const password = html`
<label for="${id}-password">Password</label> <input id="${id}-password" type="password" autocomplete="off" spellcheck="false" aria-describedby="${hintId}" ${data}>`
  return html`<p class="field needs-script"><label for="${id}">${label}${isOneOfSeveral && html` <code>${scheme}</code>`}</label>${how} <input id="${id}" type="${isPair ? 'text' : 'password'}" autocomplete="off" spellcheck="false" aria-describedby="${hintId}" ${data}>${isPair && password}
<output class="hint" for="${isPair ? `${id}-password` : id}" id="${hintId}">Kept in memory until you leave the page.</output></p>
`
}

function guideSection(section: Section): Html {
  const { id, title, text } = section
  return html`<section class="guide-section" id="${id}">
<h2 id="${id}-heading">${anchor(id, title)}</h2>
${prose(text, section)}</section>
`
}

function group(group: Group, place: Place): Html {
  const { id, name, description, operations, entries } = group
  const elsewhere =
    operations.length < entries.length && html`<p><a href="#${id}">${String(entries.length)} operations</a></p>\n`
  return html`<section class="group" id="${id}">
<h2 id="${id}-heading"${place.name === name && html` class="visually-hidden"`}>${anchor(id, name)}</h2>
${prose(description)}${elsewhere}${operations.map((each) => operationArticle(each, place))}</section>
`
}

/** The changelog, given as Markdown, with a section for each version. */
export function changelogHtml(changelog: string, docs: string): PageHtml {
  const { title, introduction, guide } = guideOf(changelog)
  const heading = html`<h1>${title || 'Changelog'}</h1>\n${prose(introduction)}`
  return besideReference(docs, 'Changelog', guide, heading, guide.map(guideSection))
}
