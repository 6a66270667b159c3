// The reference as HTML: the whole of what a reader sees, complete without scripts. The ids are those of the tree;
// the classes are what the style sheets and the scripts in browser/docs build on:
//
//   .reference > .introduction, .guide-section, .group > .operation, .headers, .schemas > .schema
//   .introduction > .introduction-prose, .access
//   .operation > .operation-prose, .operation-aside > .try-it, .samples, .responses
//   .tabs.samples > .sample[data-tab], .tabs.responses > .response[data-tab] > [data-example]
//   .server-url marks the base URL in a block of code
//   .needs-script is hidden where scripts are off
import type { Group, Reference, Section } from '../tree.ts'
import { access, pageActions } from './access.ts'
import { anchor, fieldTable, schemaSection } from './fields.ts'
import { type Html, html } from './markup.ts'
import { methodLabel, operationArticle } from './operation.ts'
import { prose } from './prose.ts'

export function referenceHtml(reference: Reference, root: string): Html {
  const { guide, groups, headers, schemas } = reference
  return html`<div class="reference">
${introduction(reference, root)}${guide.map(guideSection)}${groups.map(group)}${
  headers.length > 0 &&
  html`<section class="headers" id="headers" aria-labelledby="headers-heading">
<h2 id="headers-heading">${anchor('headers', 'Headers of every response')}</h2>
${fieldTable('Headers of every response', 'Header', headers)}</section>
`
}<section class="schemas" id="schemas" aria-labelledby="schemas-heading">
<h2 id="schemas-heading">${anchor('schemas', 'Schemas')}</h2>
${schemas.map(schemaSection)}</section>
</div>
`
}

/** Links to every section, operation and schema. */
export function contentsHtml({ guide, groups, headers, schemas }: Reference): Html {
  const link = (id: string, title: string | Html) => html`<li><a href="#${id}">${title}</a></li>\n`
  const list = (title: string, links: readonly Html[]) =>
    html`<section><h2>${title}</h2>\n<ul>${links}</ul></section>\n`
  return html`${list(
    'Guide',
    guide.map(({ id, title }) => link(id, title)),
  )}${groups.map(({ name, operations }) =>
    list(
      name,
      operations.map(({ id, method, summary }) => link(id, html`${methodLabel(method)} ${summary}`)),
    ),
  )}${list('Details', [
    ...(headers.length > 0 ? [link('headers', 'Headers of every response')] : []),
    ...schemas.map(({ id, name }) => link(id, name)),
  ])}`
}

/** `root` leads from the page to the root of the server. */
function introduction({ title, version, introduction, servers, license }: Reference, root: string): Html {
  const name = license?.url === undefined ? license?.name : html`<a href="${license.url}">${license.name}</a>`
  return html`<section class="introduction" id="introduction" aria-labelledby="title">
<div class="introduction-prose">
<h1 id="title">${title} <small>${version}</small></h1>
${prose(introduction)}${pageActions(root)}${name !== undefined && html`<p class="license">License: ${name}</p>\n`}</div>
${access(servers, root)}</section>
`
}

export function guideSection({ id, title, text }: Section): Html {
  return html`<section class="guide-section" id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${anchor(id, title)}</h2>
${prose(text, id)}</section>
`
}

function group({ id, name, description, operations }: Group): Html {
  return html`<section class="group" id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${anchor(id, name)}</h2>
${prose(description)}${operations.map(operationArticle)}</section>
`
}
