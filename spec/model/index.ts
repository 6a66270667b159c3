// The model of a document, which every part of the service reads: the server, the types, the client, the reference and
// the tests. Nothing else looks into the document itself.
import type { Document } from './document.ts'
import { type Operation, operationsIn } from './operation.ts'
import { childOf } from './references.ts'
import { type Schema, schemasOf } from './schema.ts'

export type { Body, Example, Header, Media, Operation, Parameter, Response } from './operation.ts'
export type { Discriminator, Schema } from './schema.ts'

export interface Model {
  operations: readonly Operation[]
  /** The components by name. */
  schemas: ReadonlyMap<string, Schema>
  /** Every schema that is a component or that a reference leads to. */
  sharedSchemas: readonly Schema[]
}

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
  return { operations, schemas, sharedSchemas }
}
