// Turns each request into the one that provokes the answer that Dredd is about to check.
const process = require('node:process')
// @ts-expect-error: Dredd puts it in place
const hooks = require('hooks')
/** @type {Record<string, Record<string, import('../answers.js').Change>>} */
const operations = require('../answers.json')

const { API_KEY } = process.env

hooks.beforeEach((/** @type {any} */ transaction) => {
  const { request, expected } = transaction
  // Dredd takes `default`, which is an Error of any status, for a 200.
  const isDefault = expected.statusCode === '200' && /"code":/.test(expected.body)
  const change = operations[`${request.method} ${request.uri}`]?.[isDefault ? 'default' : expected.statusCode]
  if (!change) throw new Error('not in answers.json')
  if (change.status) expected.statusCode = String(change.status)
  if (change.path) transaction.fullPath = transaction.fullPath.replace(request.uri, change.path)
  Object.assign(request.headers, { Authorization: `Bearer ${API_KEY}` }, change.headers)
})

hooks.beforeEachValidation((/** @type {any} */ { real }) => {
  // A media type of the document stands for itself with any parameters; Dredd compares texts.
  const type = real.headers['content-type']
  if (type) real.headers['content-type'] = type.split(';')[0]
})
