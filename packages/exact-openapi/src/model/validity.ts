// Requires a document to be valid OpenAPI.
import type { ErrorObject, ValidateFunction } from 'ajv'
import { openapiSchema, schemaOfSchemas, type Version, versions } from '../openapi-schema.ts'
import { plainCopy } from './copies.ts'
import { isOpenApi30 } from './dialect.ts'
import { type Document, type RawDocument, rawOf } from './document.ts'
import { type Finding, findingsIn, invalid } from './findings.ts'
import { ancestorsOf, childOf, describePointer, nodeAt, shortened } from './references.ts'

const known = new WeakMap<Document, readonly Finding[]>()

/** All that is not valid OpenAPI, or not supported wherever it stands. @throws for a version that cannot be read */
export function findingsOf(document: Document): readonly Finding[] {
  const findings = known.get(document) ?? find(document)
  known.set(document, findings)
  return findings
}

/** @throws with the first finding that keeps the document from being read */
export function requireValid(document: Document): void {
  const finding = findingsOf(document).find(({ kind }) => kind !== 'idle')
  if (finding) throw new Error(finding.message)
}

function find(document: Document): Finding[] {
  const raw = rawOf(document)
  const version = versionOf(raw.openapi)
  requireShallow(raw)
  const { findings, schemas } = findingsIn(raw, version)
  const plain = plainCopy(document, withoutPattern)
  const odd = (validate: ValidateFunction, pointer: string): Finding[] => {
    validate(nodeAt(plain, pointer))
    return (validate.errors ?? []).map((errorObject, _at, all) => {
      const place = `${pointer}${errorObject.instancePath}`
      const message = invalid(`${describePointer(raw, place)} ${errorObject.message}${nameIn(errorObject)}`)
      return { pointer: `${place}${missingIn(errorObject, all)}`, kind: 'invalid-part', message }
    })
  }
  // Since 3.1, the schema of OpenAPI leaves those of values to JSON Schema.
  const ofSchemas = isOpenApi30(raw.openapi) ? [] : schemas.flatMap((pointer) => odd(schemaOfSchemas(), pointer))
  return [...findings, ...mostSpecific([...odd(openapiSchema(version), '#'), ...ofSchemas], findings)]
}

/** Values within values: libraries that read documents call themselves for each. */
const MOST_LEVELS = 400

interface Nested {
  node: object
  key?: string
  within?: Nested
}

const pointerOf = ({ key = '', within }: Nested): string => (within ? childOf(pointerOf(within), key) : '#')

function requireShallow(raw: RawDocument): void {
  let level: readonly Nested[] = [{ node: raw }]
  for (let depth = 0; level.length > 0; depth++) {
    const [first] = level
    if (depth === MOST_LEVELS && first) {
      throw new Error(
        `${shortened(describePointer(raw, pointerOf(first)))}: values are nested too deeply: write parts as components`,
      )
    }
    const next: Nested[] = []
    for (const within of level) {
      for (const [key, node] of Object.entries(within.node)) {
        if (typeof node === 'object' && node !== null) next.push({ node, key, within })
      }
    }
    level = next
  }
}

/** `3.1` of `3.1.2`. */
function versionOf(openapi: unknown): Version {
  const version = versions.find((one) => String(openapi).startsWith(`${one}.`))
  if (version) return version
  throw new Error(`the document is OpenAPI ${openapi ?? 'of no version'}: only ${versions.join(', ')} are supported`)
}

/** Patterns are compiled with the schemas that have them. */
const withoutPattern = (key: string, value: unknown) => (key === 'pattern' && typeof value === 'string' ? '' : value)

const nameIn = ({ params }: ErrorObject): string => {
  const name = params.additionalProperty ?? params.unevaluatedProperty
  return name === undefined ? '' : `: ${name}`
}

/** What is missing is a fault of its own, but not if another alternative may lack it. */
function missingIn({ instancePath, params }: ErrorObject, all: readonly ErrorObject[]): string {
  const isChoice = all.some(
    (errorObject) => errorObject.keyword === 'oneOf' && errorObject.instancePath === instancePath,
  )
  return params.missingProperty === undefined || isChoice ? '' : `/${params.missingProperty}`
}

/** One of each place that no other finding lies within: a schema of alternatives also reports what contains the fault. */
function mostSpecific(findings: readonly Finding[], others: readonly Finding[]): Finding[] {
  const taken = new Set([...findings, ...others].flatMap(({ pointer }) => ancestorsOf(pointer)))
  return findings.filter(({ pointer }) => {
    const isNew = !taken.has(pointer)
    taken.add(pointer)
    return isNew
  })
}
