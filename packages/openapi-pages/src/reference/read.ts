// Reads the document into the tree of the reference.
import type { Document } from 'exact-openapi'
import { type Model, modelOf, type Operation } from 'exact-openapi/model'
import { lazy } from '../static/memoize.ts'
import { badgesOf } from './badges.ts'
import { schemasOf } from './bodies.ts'
import { childrenIn } from './content.ts'
import { firstCallOf } from './first-call.ts'
import { guideOf } from './guide.ts'
import { distinctFrom, pageIds } from './ids.ts'
import { keysOf } from './keys.ts'
import { type Context, operationPart, responsePart } from './operation.ts'
import { groupPaths, webhooksPath } from './paths.ts'
import { searchTermsOf } from './search-terms.ts'
import { schemesOf } from './security.ts'
import { allHeaders, sharedBy } from './shared.ts'
import { tagOf, tagsOf } from './tags.ts'
import { aboutOf, lead, linkText, paragraphs, urlsOf, variablesText } from './texts.ts'

interface ReadOptions {
  /** The path of the first page. */
  base?: string
  /** Without them, all fields of a body stand where it is used. */
  hasSchemas?: boolean
}

export function readReference(document: Document, { base = '/docs', hasSchemas = true }: ReadOptions = {}) {
  const model = modelOf(document)
  const { title, version, description, summary } = model.info
  const shared = sharedBy(model)
  // Addresses that readers keep come first: no name of anything else takes them.
  const ids = distinctFrom([...pageIds, ...[...model.schemas.keys()].map((name) => `schema-${name}`)])
  const headers = allHeaders(model, shared.headers, ids)
  const sharedIds = shared.responses.map(({ status }) => ({ id: ids(`responses-${status}`), status }))
  const all = [...model.operations, ...model.webhooks]
  const context: Context = {
    ids,
    model,
    children: childrenIn(model.schemas.values()),
    idOf: new Map(all.map((operation) => [operation, ids(operation.id)])),
    schemes: schemesOf(model, ids),
    shared: sharedIds,
    headers,
    commonHeaders: shared.headers,
    isSent: false,
    ...(!hasSchemas && { isComplete: true }),
  }
  const groups = groupsOf(model, context, base)
  const guide = guideOf(description, ids)
  return {
    base,
    title,
    version,
    summary: summary || lead(description),
    about: aboutOf(model),
    servers: model.servers.map((server) => ({
      url: server.url,
      description: [(server as { name?: string }).name, server.description].filter(Boolean).join(': '),
      addresses: urlsOf(server),
      variables: variablesText(server),
    })),
    introduction: paragraphs(summary, guide.title === title ? '' : guide.title, guide.introduction),
    guide: guide.guide,
    groups,
    /** Errors that every operation can return in the same way. */
    responses: shared.responses.map((response, at) =>
      linked(responsePart(String(sharedIds[at]?.id), response, context), context),
    ),
    headers: linked(headers, context),
    /** The names of those that every operation's first response has. */
    commonHeaders: shared.headers,
    schemes: context.schemes,
    keys: keysOf(model, context.schemes, ids),
    /** How many of the operations take a key. */
    keyed: { some: model.operations.filter(takesKey).length, all: model.operations.length },
    /** What the first screen calls. */
    firstCall: firstCallOf(model, context.idOf),
    schemas: hasSchemas ? schemasOf(model, context, base) : [],
    searchTerms: searchTermsOf(model),
  }
}

const takesKey = ({ security = [] }: Operation) => security.some((schemes) => schemes.length > 0)

function groupsOf(model: Model, context: Context, base: string) {
  const paths = groupPaths(model, base)
  const tags = tagsOf(model)
  const tagIds = tags.map(({ name }) => context.ids(`tag-${name}`))
  const groups = tags.map(({ name, title, section, description, externalDocs, parent }, at) => {
    const text = paragraphs(description, parent && `Part of ${parent}.`, linkText(externalDocs))
    const operations = model.operations.filter((operation) => tagOf(operation, model) === name)
    return groupOf(
      { id: String(tagIds[at]), name: title, section, description: text, path: String(paths.get(name)) },
      operations,
      context,
    )
  })
  const { webhooks } = model
  if (webhooks.length === 0) return groups
  const about = { id: 'webhooks', name: 'Webhooks', section: '', description: 'Requests that the API sends.' }
  const sent = { ...context, isSent: true, shared: [] }
  return [...groups, groupOf({ ...about, path: webhooksPath(model, base) }, webhooks, sent)]
}

/** @param head `path` is that of the page that has the operations */
function groupOf(
  head: { id: string; name: string; section: string; description: string; path: string },
  operations: readonly Operation[],
  context: Context,
) {
  const parts = lazy(() => operations.map((operation) => linked(operationPart(operation, context), context)))
  return {
    ...head,
    /** For the contents: most pages of a large reference need no more. */
    entries: operations.map((operation) => ({
      id: String(context.idOf.get(operation)),
      method: operation.method,
      path: operation.path,
      summary: operation.summary ?? operation.id,
      isDeprecated: operation.deprecated,
      badges: badgesOf(operation),
    })),
    get operations() {
      return parts()
    },
  }
}

/** Without links to schemas, if those are not shown. */
function linked<T>(part: T, { isComplete }: Context): T {
  return isComplete ? JSON.parse(JSON.stringify(part, (key, value) => (key === 'schemaId' ? undefined : value))) : part
}
