// Requires a document to be valid OpenAPI.
import type { ErrorObject } from 'ajv'
import { openapiSchema, type Version, versions } from '../openapi-schema.ts'
import { plainCopy } from './copies.ts'
import { type Document, type RawDocument, rawOf } from './document.ts'
import { placeOf, requireReferences } from './references.ts'

const validated = new WeakSet<Document>()

/** What the schema of OpenAPI refuses: a part that is missing, unknown, or of another type. */
export class OddPartError extends Error {}

/** @throws an OddPartError with the most specific finding; another error for a version or a reference that cannot be read */
export function requireValid(document: Document): void {
  if (validated.has(document)) return
  const raw = rawOf(document)
  const { openapi } = raw
  const version = versionOf(openapi)
  const broken = brokenReference(raw)
  if (broken) throw new Error(`the document is not valid OpenAPI: ${broken}`)
  const odd = finding(document, version)
  if (odd) throw new OddPartError(`the document is not valid OpenAPI: ${odd}`)
  validated.add(document)
}

/** `3.1` of `3.1.2`. */
function versionOf(openapi: unknown): Version {
  const version = versions.find((one) => String(openapi).startsWith(`${one}.`))
  if (version) return version
  throw new Error(`the document is OpenAPI ${openapi ?? 'of no version'}: only ${versions.join(', ')} are supported`)
}

function brokenReference(document: RawDocument): string | undefined {
  try {
    requireReferences(document)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function finding(document: Document, version: Version): string | undefined {
  const validate = openapiSchema(version)
  validate(plainCopy(document, withoutPattern))
  return validate.errors ? describe(validate.errors, rawOf(document)) : undefined
}

/** Patterns are compiled with the schemas that have them. */
const withoutPattern = (key: string, value: unknown) => (key === 'pattern' && typeof value === 'string' ? '' : value)

/** The most specific finding, with its place in words. */
function describe(findings: ErrorObject[], document: RawDocument): string {
  const { instancePath, message } = findings.reduce((one, other) =>
    other.instancePath.length > one.instancePath.length ? other : one,
  )
  return `${placeOf(document, `#${instancePath}`)} ${message}`
}
