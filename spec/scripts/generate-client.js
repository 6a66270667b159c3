// Generates packages/client/operations.ts: a method for each operation, and what the client must know to call it.
import { operationsOf, resolve } from './document.js'

/** The keywords that the client reads. It ignores the others: a later version of the API may widen them. */
const keywords = ['$ref', 'type', 'format', 'nullable', 'enum', 'required', 'allOf', 'oneOf', 'anyOf']

/** What the client knows of each operation. @param {any} document */
export function tableOf(document) {
  const entries = operationsOf(document).map(({ method, path, item, operation }) => {
    const { operationId, parameters: own = [], requestBody, responses } = operation
    const parameters = [...(item.parameters ?? []), ...own].map((one) => resolve(one, document))
    const [type] = Object.keys(resolve(requestBody, document)?.content ?? {})
    const joined = parameters.filter((one) => one.in === 'query' && one.explode === false).map(({ name }) => name)
    const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
    const bodyOf = (/** @type {string} */ status) =>
      resolve(responses[status], document).content?.['application/json']?.schema ?? null
    const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => parameters.find((one) => one.name === name))
    const known = {
      method: method.toUpperCase(),
      path,
      parameters: named.map(({ name, schema }) => ({ name, schema: pruned(schema) })),
      ...((type || parameters.some((one) => /query|header/.test(one.in))) && { hasInput: true }),
      ...(joined.length > 0 && { joined }),
      ...(type && { type }),
      ...('304' in responses && { hasETag: true }),
      responses: Object.fromEntries(successes.map((status) => [status, pruned(bodyOf(status))])),
    }
    return [operationId, known]
  })
  return Object.fromEntries(entries)
}

/** The module. @param {any} document */
export function clientOf(document) {
  const table = tableOf(document)
  const signatures = operationsOf(document).map((one) =>
    signatureOf(one.operation, table[one.operation.operationId], isInputRequired(document, one)),
  )
  const types = ['BodyOf', 'CallOptions', 'InputOf', 'Operation', 'PathOf', 'Schema']
  const used = types.filter((name) => !/Of$/.test(name) || signatures.some((text) => text.includes(`${name}<`)))
  return `// Generated from openapi.yaml by \`npm run types\`. Do not edit.
import type { ${used.join(', ')} } from './types.ts'

export interface Client {
${signatures.join('\n')}}

export const operations: Readonly<Record<keyof Client, Operation>> = ${lines(table)}

export const schemas: Readonly<Record<string, Schema>> = ${lines(prunedAll(document.components.schemas))}
`
}

/** @param {any} operation @param {any} known @param {boolean} isInputRequired */
function signatureOf(
  { operationId: id, summary, description, deprecated },
  { parameters, hasInput, responses },
  isInputRequired,
) {
  const args = [
    ...parameters.map((/** @type {any} */ { name }) => `${name}: PathOf<'${id}'>['${name}']`),
    ...(hasInput ? [`input${isInputRequired ? '' : '?'}: InputOf<'${id}'>`] : []),
    'options?: CallOptions',
  ]
  const text = [summary, description, deprecated && '@deprecated'].filter(Boolean).join('\n\n').replaceAll('*/', '* /')
  const comment = text
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^/gm, '   * ')
    .replace(/ +$/gm, '')
  const body = `BodyOf<'${id}', ${Object.keys(responses).join(' | ')}>`
  return `  /**\n${comment}\n   */\n  ${id}(${args.join(', ')}): Promise<${body}>\n`
}

/** @param {any} document @param {any} entry */
function isInputRequired(document, { item, operation }) {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => resolve(one, document))
  const isRequired = parameters.some((one) => one.required && /query|header/.test(one.in))
  return isRequired || resolve(operation.requestBody, document)?.required === true
}

/** @param {any} schema @returns {any} */
function pruned(schema) {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(pruned)
  const { properties, items, additionalProperties: others } = schema
  const kept = keywords.filter((key) => key in schema)
  return {
    ...Object.fromEntries(kept.map((key) => [key, /Of$/.test(key) ? pruned(schema[key]) : schema[key]])),
    ...(properties && { properties: prunedAll(properties) }),
    ...(items && { items: pruned(items) }),
    ...(typeof others === 'object' && { additionalProperties: pruned(others) }),
  }
}

/** @param {any} schemas */
function prunedAll(schemas) {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, pruned(schema)]))
}

/** A line for each entry. @param {Record<string, any>} table */
function lines(table) {
  const entries = Object.entries(table).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`)
  return `{\n${entries.join('')}}`
}
