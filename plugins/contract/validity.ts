// Requires a document to be valid OpenAPI 3.0.
import { Validator } from '@seriousme/openapi-schema-validator'
import type { Document } from '../../spec/model/document.ts'
import { placeOf, requireReferences } from '../../spec/model/references.ts'

type Findings = NonNullable<Awaited<ReturnType<Validator['validate']>>['errors']>

const validator = new Validator()
const validated = new WeakSet<Document>()

/** Glue validates as well, but prints its findings to stdout, which is the log here. @throws with the most specific one */
export async function requireValid(document: Document): Promise<void> {
  if (validated.has(document)) return
  const { openapi } = document
  if (typeof openapi === 'string' && !/^3\.0\.\d+(-.+)?$/.test(openapi)) {
    throw new Error(`the document is OpenAPI ${openapi}: only 3.0 is supported, so write it as "openapi: 3.0.3"`)
  }
  const problem = brokenReference(document) ?? (await finding(document))
  if (problem) throw new Error(`the document is not valid OpenAPI: ${problem}`)
  validated.add(document)
}

function brokenReference(document: Document): string | undefined {
  try {
    requireReferences(document)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** For libraries: their own copy, with numbers instead of bigints. */
export function plainCopy(document: Document): Record<string, unknown> {
  return JSON.parse(JSON.stringify(document, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)))
}

async function finding(document: Document): Promise<string | undefined> {
  const { errors } = await validator.validate(plainCopy(document))
  return errors && describe(errors, document)
}

/** The most specific finding, with its place in words. */
function describe(findings: Findings, document: Document): string {
  if (typeof findings === 'string') return findings
  const { instancePath, message } = findings.reduce((one, other) =>
    other.instancePath.length > one.instancePath.length ? other : one,
  )
  return `${placeOf(document, `#${instancePath}`)} ${message}`
}
