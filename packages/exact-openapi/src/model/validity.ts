// Requires a document to be valid OpenAPI 3.0.
import type { ErrorObject } from 'ajv'
import { openapiSchema } from '../openapi-schema.ts'
import { plainCopy } from './copies.ts'
import { type Document, type RawDocument, rawOf } from './document.ts'
import { placeOf, requireReferences } from './references.ts'

const validated = new WeakSet<Document>()

/** @throws with the most specific finding */
export function requireValid(document: Document): void {
  if (validated.has(document)) return
  const raw = rawOf(document)
  const { openapi } = raw
  if (!/^3\.0\.\d+(-.+)?$/.test(openapi)) {
    throw new Error(
      `the document is OpenAPI ${openapi ?? 'of no version'}: only 3.0 is supported, so write it as "openapi: 3.0.3"`,
    )
  }
  const problem = brokenReference(raw) ?? finding(document)
  if (problem) throw new Error(`the document is not valid OpenAPI: ${problem}`)
  validated.add(document)
}

function brokenReference(document: RawDocument): string | undefined {
  try {
    requireReferences(document)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function finding(document: Document): string | undefined {
  const validate = openapiSchema()
  validate(plainCopy(document))
  return validate.errors ? describe(validate.errors, rawOf(document)) : undefined
}

/** The most specific finding, with its place in words. */
function describe(findings: ErrorObject[], document: RawDocument): string {
  const { instancePath, message } = findings.reduce((one, other) =>
    other.instancePath.length > one.instancePath.length ? other : one,
  )
  return `${placeOf(document, `#${instancePath}`)} ${message}`
}
