// The model of a document, which every part of the service reads: the server, the types, the client, the reference and
// the tests. Nothing else looks into the document itself.

import type { OpenAPIV3 } from 'openapi-types'
import type { Document, Extensions } from './document.ts'
import { type Operation, operationsIn } from './operation.ts'
import { childOf, follow } from './references.ts'
import { type Schema, schemasOf } from './schema.ts'

export type { Body, Example, Exampled, Header, Media, Operation, Parameter, Response } from './operation.ts'
export type { Discriminator, Schema } from './schema.ts'

export interface Model {
  operations: readonly Operation[]
  /** The components by name. */
  schemas: ReadonlyMap<string, Schema>
  /** How each scheme of `security` sends its credentials. */
  securitySchemes: ReadonlyMap<string, SecurityScheme>
  /** Every schema that is a component or that a reference leads to. */
  sharedSchemas: readonly Schema[]
}

export type SecurityScheme = OpenAPIV3.SecuritySchemeObject

const models = new WeakMap<Document, Model>()

/** Reads a document once. @throws naming the place of a reference that leads nowhere */
export function modelOf(document: Document): Model {
  const model = models.get(document) ?? read(document)
  models.set(document, model)
  return model
}

function read(document: Document): Model {
  const { read, known } = schemasOf(document)
  const components = Object.entries(document.components?.schemas ?? {}).map(([name, node]): [string, Schema] => [
    name,
    read(node, childOf('#', 'components', 'schemas', name)),
  ])
  const operations = operationsIn(document, read)
  const schemas = new Map(components)
  const sharedSchemas = [...known.values()].filter((schema) => schema.isShared || schema.name !== undefined)
  const securitySchemes = new Map(
    Object.entries(document.components?.securitySchemes ?? {}).map(([name, node]) => {
      return [name, follow(document, node, childOf('#', 'components', 'securitySchemes', name)).node]
    }),
  )
  return { operations, schemas, securitySchemes, sharedSchemas }
}

/** A copy of the document in which an extension of each operation has another value. */
export function withExtension<Name extends keyof Extensions>(
  document: Document,
  name: Name,
  replaced: (operation: Operation) => Extensions[Name],
): Document {
  const paths = structuredClone(document.paths)
  for (const operation of modelOf(document).operations) {
    const node = paths[operation.path]?.[operation.method.toLowerCase() as OpenAPIV3.HttpMethods] as Extensions
    node[name] = replaced(operation)
  }
  return { ...document, paths }
}
