// Writes the examples from which Specmatic derives requests: a request for every response, with the documented body.
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadDocument } from '../../../spec/document.ts'
import { operationsOf, resolve } from '../../../spec/model/document.ts'
import { answers } from '../answers.js'

/** Why Specmatic gets no example of a response. @type {Record<string, string>} */
const untold = {
  304: 'its request needs If-None-Match, which is a header of HTTP and no parameter of the operation',
  405: 'its method is not that of the operation',
  406: 'its request needs Accept',
  412: 'its request needs If-Match',
}

/** The number of responses without an example for Specmatic. */
export const skipped = answers.filter(({ status }) => status in untold).length

/** @param {string} folder @returns {void} */
export function writeExamples(folder) {
  const document = loadDocument()
  for (const { template, declaredMethod, method, path, headers, body, status } of answers.filter(
    ({ status }) => !(status in untold),
  )) {
    const operation = operationsOf(document).find((one) => one.path === template && one.method === declaredMethod)
    const response = /** @type {any} */ (resolve(operation?.operation.responses[status], document))
    const examples = response.content?.['application/json']?.examples ?? {}
    const [name, example] = Object.entries(examples)[0] ?? [status, {}]
    const group = `${folder}${method}${path.replaceAll('/', '-')}/`
    mkdirSync(group, { recursive: true })
    const sent = { method, path, headers, ...(body !== undefined && { body }) }
    const exchange = { 'http-request': sent, 'http-response': { status, body: example.value } }
    // An example with the name of one in the document replaces it.
    writeFileSync(`${group}${name}.json`, JSON.stringify(exchange))
  }
}
