// Every answer that the document shows, with a request that provokes it from the sample orders: answers.json in a list.
import { readFileSync } from 'node:fs'
import { here } from './folders.js'
import { KEY } from './server.js'

/**
 * @typedef {object} Change what to change in the request that stands in the document as an example
 * @property {string} [path]
 * @property {Record<string, string>} [headers] beside the key
 * @property {number} [status] of an answer that the document calls `default`
 */

/** @type {Record<string, Record<string, Change>>} by method and path, then by status */
const operations = JSON.parse(readFileSync(`${here}answers.json`, 'utf8'))

export const authorized = { Authorization: `Bearer ${KEY}` }

export const answers = Object.entries(operations).flatMap(([operation, changes]) => {
  const [method = '', example = ''] = operation.split(' ')
  return Object.entries(changes).map(([answer, { path = example, headers, status = Number(answer) }]) => {
    return { method, path, headers: { ...authorized, ...headers }, answer, status }
  })
})
