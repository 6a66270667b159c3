// Writes the examples from which Specmatic derives requests: a request for every response, with the documented body.
import { mkdirSync, writeFileSync } from 'node:fs'
import { modelOf } from 'exact-openapi'
import { loadDocument } from '../../../spec/document.ts'
import { answers } from '../answers.ts'

/** Why Specmatic gets no example of a response. */
const untold: Record<string, string> = {
  304: 'its request needs If-None-Match, which is a header of HTTP and no parameter of the operation',
  405: 'its method is not that of the operation',
  406: 'its request needs Accept',
  412: 'its request needs If-Match',
}

/** The number of responses without an example for Specmatic. */
export const skipped = answers.filter(({ status }) => status in untold).length

export function writeExamples(folder: string): void {
  const { operations } = modelOf(loadDocument())
  for (const { template, declaredMethod, method, path, headers, body, status } of answers.filter(
    ({ status }) => !(status in untold),
  )) {
    const operation = operations.find((one) => one.path === template && one.method === declaredMethod)
    const response = operation?.responses.find((one) => one.status === String(status))
    const { name = String(status), value } = response?.media.flatMap(({ examples }) => examples)[0] ?? {}
    const group = `${folder}${method}${path.replaceAll('/', '-')}/`
    mkdirSync(group, { recursive: true })
    const sent = { method, path, headers, ...(body !== undefined && { body }) }
    const exchange = { 'http-request': sent, 'http-response': { status, body: value } }
    // An example with the name of one in the document replaces it.
    writeFileSync(`${group}${name}.json`, JSON.stringify(exchange))
  }
}
