// Reads a document into its model.
import type { OpenAPIV3 } from 'openapi-types'
import { isFormer } from './dialect.ts'
import { type Document, type Extensions, extensionsOf, rawOf } from './document.ts'
import { type Response, responseAt } from './media.ts'
import { type Operation, operationsIn } from './operation.ts'
import { isEndless } from './parts.ts'
import { childOf, follow, placeOf } from './references.ts'
import { type Schema, schemasOf } from './schema.ts'

export interface Model {
  /** Whether schemas are those of OpenAPI 3.0, not of JSON Schema. */
  isFormer: boolean
  info: Info
  servers: readonly Server[]
  /** In the order of the document. Operations may name others. */
  tags: readonly Tag[]
  operations: readonly Operation[]
  /** The components by name. */
  schemas: ReadonlyMap<string, Schema>
  responses: ReadonlyMap<string, Response>
  /** How each scheme of `security` sends its credentials. */
  securitySchemes: ReadonlyMap<string, SecurityScheme>
  /** Every schema that is a component or that a reference leads to. */
  sharedSchemas: readonly Schema[]
}

export interface Info {
  title: string
  version: string
  description: string
  license: { name: string; url?: string } | undefined
  extensions: Extensions
}

export interface Tag {
  name: string
  description: string
  extensions: Extensions
}

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
  const schemes = Object.entries(components.securitySchemes ?? {}).map(([name, node]): [string, SecurityScheme] => [
    name,
    follow(raw, node, childOf('#', 'components', 'securitySchemes', name)).node,
  ])
  const endless = [...known.values()].find(isEndless)
  if (endless) {
    const place = placeOf(raw, endless.pointer)
    throw new Error(`${place} consists of itself: refer to it from a property or an item`)
  }
  return {
    isFormer: isFormer(raw.openapi),
    info: infoOf(raw.info),
    servers: raw.servers ?? [],
    tags: (raw.tags ?? []).map((tag) => ({
      name: tag.name,
      description: tag.description ?? '',
      extensions: extensionsOf(tag),
    })),
    operations,
    schemas: new Map(schemas),
    responses: new Map(responses),
    securitySchemes: new Map(schemes),
    sharedSchemas: [...known.values()].filter((schema) => schema.isShared || schema.name !== undefined),
  }
}

function infoOf(info: OpenAPIV3.InfoObject | undefined): Info {
  const { title = '', version = '', description = '', license } = info ?? {}
  return { title, version, description, license, extensions: extensionsOf(info ?? {}) }
}
