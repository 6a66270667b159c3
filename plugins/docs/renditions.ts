// The pages, each as HTML and as Markdown. One is made on the first request for it at each address.
import { referenceMarkdown } from '../../reference/markdown/reference.ts'
import type { Reference } from '../../reference/tree.ts'
import { baseUrlOf, type Document, exampleServer, loadChangelog } from '../../spec/document.ts'
import { onceEach } from '../static/once.ts'
import { type Resource, resource } from '../static/resource.ts'
import { changelogPage, referencePage, type Visitor } from './page.ts'

export interface Renditions {
  html(visitor: Visitor): Resource
  /** `origin` is that of the canonical copy, '' if it is not known. */
  markdown(origin: string): Resource
}

/** By path. */
export function renditionsOf(
  document: Document,
  reference: () => Reference,
  isApiAtDomains: boolean,
): Record<string, Renditions> {
  const baseUrlAt = (origin: string) => baseUrlOf(document, isApiAtDomains ? origin : '')
  return {
    '/docs': madeOnce(
      (visitor) => referencePage(reference(), baseUrlAt(visitor.origin), visitor),
      (origin) => referenceMarkdown(reference()).replaceAll(exampleServer, baseUrlAt(origin)),
    ),
    '/docs/changelog': madeOnce((visitor) => changelogPage(reference(), loadChangelog(), visitor), loadChangelog),
  }
}

/** Few are kept: the origins are those of live domains. */
function madeOnce(html: (visitor: Visitor) => Resource, markdown: (origin: string) => string): Renditions {
  const pages = onceEach((_key, visitor: Visitor) => html(visitor))
  return {
    html: (visitor) => pages(`${visitor.root} ${visitor.origin}`, visitor),
    markdown: onceEach((origin) => resource('text/markdown; charset=utf-8', markdown(origin))),
  }
}
