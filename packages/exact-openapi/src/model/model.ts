// Reads a document into its model.
import type { OpenAPIV3 } from 'openapi-types'
import { isOpenApi30 } from './dialect.ts'
import { type Document, type Extensions, extensionsOf, rawOf } from './document.ts'
import { type Response, responseAt } from './media.ts'
import { widenNumbers } from './number-places.ts'
import { type Operation, operationsIn } from './operation.ts'
import { annotate } from './parts.ts'
import { childOf, describedBy, describePointer } from './references.ts'
import { type Schema, schemasOf } from './schema.ts'

export interface Model {
  /** Whether schemas are those of OpenAPI 3.0, not of JSON Schema. */
  isOpenApi30: boolean
  /** Whether any schema says what becomes of properties or items that no other evaluates. */
  tracksEvaluated: boolean
  info: Info
  servers: readonly Server[]
  /** In the order of the document. Operations may name others. */
  tags: readonly Tag[]
  operations: readonly Operation[]
  /** Requests that the API sends; the path of each is the name of the webhook. */
  webhooks: readonly Operation[]
  externalDocs: ExternalDocs | undefined
  extensions: Extensions
  /** The components by name. */
  schemas: ReadonlyMap<string, Schema>
  responses: ReadonlyMap<string, Response>
  /** How each scheme of `security` sends its credentials. */
  securitySchemes: ReadonlyMap<string, SecurityScheme>
}

export interface Info {
  title: string
  version: string
  description: string
  summary: string
  termsOfService: string | undefined
  contact: OpenAPIV3.ContactObject | undefined
  license: { name: string; url?: string; identifier?: string } | undefined
  extensions: Extensions
}

export interface Tag {
  name: string
  summary: string
  description: string
  externalDocs: ExternalDocs | undefined
  /** The name of the tag that it is a part of. */
  parent?: string | undefined
  /** What it is for, such as `nav`. */
  kind?: string | undefined
  extensions: Extensions
}

export type ExternalDocs = OpenAPIV3.ExternalDocumentationObject
export type Server = OpenAPIV3.ServerObject
export type SecurityScheme = OpenAPIV3.SecuritySchemeObject

const models = new WeakMap<Document, Model>()

/** Reads a document once. @throws naming the place of a reference that leads nowhere, or of a schema without an end */
export function modelOf(document: Document): Model {
  const model = models.get(document) ?? read(document)
  models.set(document, model)
  return model
}

function read(document: Document): Model {
  const raw = rawOf(document)
  const { components = {} } = raw
  const { read, known } = schemasOf(raw)
  const schemas = Object.entries(components.schemas ?? {}).map(([name, node]): [string, Schema] => [
    name,
    read(node, childOf('#', 'components', 'schemas', name)),
  ])
  const responses = Object.entries(components.responses ?? {}).map(([name, node]): [string, Response] => [
    name,
    responseAt(raw, read, name, node, childOf('#', 'components', 'responses', name)),
  ])
  const operations = operationsIn(raw, read)
  const webhooks = operationsIn(raw, read, { place: childOf('#', 'webhooks'), items: webhooksOf(raw) })
  const schemes = Object.entries(components.securitySchemes ?? {}).map(([name, node]): [string, SecurityScheme] => [
    name,
    describedBy(raw, node, childOf('#', 'components', 'securitySchemes', name)).node,
  ])
  const endless = annotate([...known.values()])
  if (endless) {
    const place = describePointer(raw, endless.pointer)
    throw new Error(`${place} consists of itself: refer to it from a property or an item`)
  }
  widenNumbers([...known.values()])
  return {
    isOpenApi30: isOpenApi30(raw.openapi),
    tracksEvaluated: [...known.values()].some(
      (schema) => (schema.unevaluatedItems ?? schema.unevaluatedProperties) !== undefined,
    ),
    info: infoOf(raw.info),
    servers: raw.servers ?? [],
    tags: (raw.tags ?? []).map(tagOf),
    operations,
    webhooks,
    externalDocs: raw.externalDocs,
    extensions: extensionsOf(raw),
    schemas: new Map(schemas),
    responses: new Map(responses),
    securitySchemes: new Map(schemes),
  }
}

function tagOf(tag: OpenAPIV3.TagObject & { summary?: string; parent?: string; kind?: string }): Tag {
  const { name, summary = '', description = '', externalDocs, parent, kind } = tag
  return { name, summary, description, externalDocs, parent, kind, extensions: extensionsOf(tag) }
}

/** Since OpenAPI 3.1. */
const webhooksOf = (raw: object) => (raw as { webhooks?: Record<string, object> }).webhooks ?? {}

function infoOf(info: (OpenAPIV3.InfoObject & { summary?: string }) | undefined): Info {
  const { title = '', version = '', description = '', summary = '', termsOfService, contact, license } = info ?? {}
  return {
    title,
    version,
    description,
    summary,
    termsOfService,
    contact,
    license,
    extensions: extensionsOf(info ?? {}),
  }
}
