// The answers that the runners ask for, with a request that provokes each from the sample orders: answers.json in a list.
// unasked.json has the others, with the reason; test/document-walk.test.ts provokes all of them.
import { readFileSync } from 'node:fs'
import { here } from './folders.js'
import { KEY } from './server.js'

/**
 * @typedef {object} Change what to change in the request that stands in the document as an example
 * @property {string} [method]
 * @property {string} [path]
 * @property {Record<string, string>} [headers] beside the key
 */

/** @type {Record<string, Record<string, Change>>} by method and path, then by status */
const operations = JSON.parse(readFileSync(`${here}answers.json`, 'utf8'))

export const authorized = { Authorization: `Bearer ${KEY}` }

export const answers = Object.entries(operations).flatMap(([operation, changes]) => {
  const [documented = '', example = ''] = operation.split(' ')
  return Object.entries(changes).map(([status, { method = documented, path = example, headers }]) => {
    return { method, path, headers: { ...authorized, ...headers }, status: Number(status) }
  })
})
