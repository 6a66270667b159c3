// Turns each request into the one that provokes the answer that Dredd is about to check.
const process = require('node:process')
// @ts-expect-error: Dredd puts it in place
const hooks = require('hooks')
/** @type {Record<string, Record<string, import('../answers.js').Change>>} */
const operations = require('../answers.json')
/** @type {Record<string, string>} */
const unasked = require('../unasked.json')

const { API_KEY } = process.env

hooks.beforeEach((/** @type {any} */ transaction) => {
  const { request, expected } = transaction
  const { statusCode } = expected
  const operation = `${request.method} ${request.uri}`
  if (statusCode in unasked || `${operation} ${statusCode}` in unasked) {
    transaction.skip = true
    return
  }
  const change = operations[operation]?.[statusCode]
  if (!change) throw new Error('neither in answers.json nor in unasked.json')
  if (change.method) request.method = change.method
  if (change.path) transaction.fullPath = transaction.fullPath.replace(request.uri, change.path)
  Object.assign(request.headers, { Authorization: `Bearer ${API_KEY}` }, change.headers)
})

hooks.beforeEachValidation((/** @type {any} */ { real }) => {
  // A media type of the document stands for itself with any parameters; Dredd compares texts.
  const type = real.headers['content-type']
  if (type) real.headers['content-type'] = type.split(';')[0]
})
