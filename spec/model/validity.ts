// Requires a document to be valid OpenAPI 3.0.
import { Validator } from '@seriousme/openapi-schema-validator'
import { plainCopy } from './copies.ts'
import { type Document, type RawDocument, rawOf } from './document.ts'
import { placeOf, requireReferences } from './references.ts'

type Findings = Exclude<NonNullable<Awaited<ReturnType<Validator['validate']>>['errors']>, string>

const validator = new Validator()
const validated = new WeakSet<Document>()

/** @throws with the most specific finding */
export async function requireValid(document: Document): Promise<void> {
  if (validated.has(document)) return
  const raw = rawOf(document)
  const { openapi } = raw
  if (!/^3\.0\.\d+(-.+)?$/.test(openapi)) {
    throw new Error(
      `the document is OpenAPI ${openapi ?? 'of no version'}: only 3.0 is supported, so write it as "openapi: 3.0.3"`,
    )
  }
  const problem = brokenReference(raw) ?? (await finding(document))
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

async function finding(document: Document): Promise<string | undefined> {
  const { errors } = await validator.validate(plainCopy(document))
  // A text is about references, which are checked above: the library takes a property of the name `$ref` for one.
  return errors && typeof errors !== 'string' ? describe(errors, rawOf(document)) : undefined
}

/** The most specific finding, with its place in words. */
function describe(findings: Findings, document: RawDocument): string {
  const { instancePath, message } = findings.reduce((one, other) =>
    other.instancePath.length > one.instancePath.length ? other : one,
  )
  return `${placeOf(document, `#${instancePath}`)} ${message}`
}
