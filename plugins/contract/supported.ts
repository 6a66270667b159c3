// What the contract requires of a document: valid OpenAPI, without features that are not implemented.
import { Validator } from '@seriousme/openapi-schema-validator'
import {
  type Document,
  type Operation,
  operationsOf,
  pointerKeys,
  type Response,
  resolve,
} from '../../spec/model/document.ts'

type Findings = NonNullable<Awaited<ReturnType<Validator['validate']>>['errors']>

const validator = new Validator()
const validated = new WeakSet<Document>()

/** Glue validates as well, but prints its findings to stdout, which is the log here. @throws with the most specific one */
export async function requireValid(document: Document): Promise<void> {
  if (validated.has(document)) return
  const { errors } = await validator.validate(structuredClone(document) as object as Record<string, unknown>)
  if (errors) throw new Error(`the document is not valid OpenAPI: ${describe(errors, document)}`)
  validated.add(document)
}

/** The most specific finding, with the operation that it is in. */
function describe(findings: Findings, document: Document): string {
  if (typeof findings === 'string') return findings
  const { instancePath, message } = findings.reduce((one, other) =>
    other.instancePath.length > one.instancePath.length ? other : one,
  )
  const [, path, method] = pointerKeys(instancePath)
  const found = operationsOf(document).find((one) => one.path === path && one.method.toLowerCase() === method)
  const place = found?.operation.operationId ?? ''
  return `${place} ${instancePath} ${message}`.trim()
}

/** Parameters and schemas are checked where they are compiled. @throws naming what is not implemented */
export function requireSupported(document: Document, path: string, { callbacks, servers, responses }: Operation): void {
  if (!/^(\/([^{}:*]+|\{\w+\}))+$/.test(path)) throw new Error(`the path template ${path} is not supported`)
  if (callbacks) throw new Error('callbacks are not supported')
  if (servers) throw new Error('servers of an operation are not supported')
  for (const [status, response] of Object.entries(responses)) {
    if (!/^\d{3}$/.test(status)) throw new Error(`the response ${status} is not supported`)
    const { content = {} } = resolve<Response>(response, document)
    const other = Object.keys(content).find((type) => type !== 'application/json')
    if (other) throw new Error(`the response ${status} as ${other} is not supported`)
  }
}
