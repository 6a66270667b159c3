// Writes the examples that Specmatic learns requests from: for every answer the request, and the document's own body.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { answers } from '../answers.js'
import { project } from '../folders.js'

/** Why Specmatic is not told of an answer. @type {Record<string, string>} */
const untold = {
  304: 'its request needs If-None-Match, which is a header of HTTP and no parameter of the operation',
  405: 'its method is not that of the operation',
  406: 'its request needs Accept',
  412: 'its request needs If-Match',
}

/** How many answers Specmatic is not told of. */
export const skipped = answers.filter(({ status }) => status in untold).length

/** @param {string} folder @returns {void} */
export function writeExamples(folder) {
  const document = parse(readFileSync(`${project}spec/openapi.yaml`, 'utf8'))
  for (const { method, path, headers, status } of answers.filter(({ status }) => !(status in untold))) {
    const [, item] = Object.entries(document.paths).find(([template]) => patternOf(template).test(path)) ?? []
    const response = resolved(document, item[method.toLowerCase()].responses[status])
    const [name, example] = Object.entries(response.content?.['application/json'].examples ?? {})[0] ?? [status, {}]
    const group = `${folder}${method}${path.replaceAll('/', '-')}/`
    mkdirSync(group, { recursive: true })
    const exchange = { 'http-request': { method, path, headers }, 'http-response': { status, body: example.value } }
    // An example of the same name as one in the document stands for it.
    writeFileSync(`${group}${name}.json`, JSON.stringify(exchange))
  }
}

/** @param {string} template */
const patternOf = (template) => new RegExp(`^${template.replace(/\{\w+\}/, '[^/]+')}$`)

/** @param {any} document @param {any} value */
function resolved(document, value) {
  const names = value.$ref?.split('/').slice(1) ?? []
  return names.reduce(
    (/** @type {any} */ object, /** @type {string} */ name) => object[name],
    names.length ? document : value,
  )
}
