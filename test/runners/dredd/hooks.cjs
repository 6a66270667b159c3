// Turns each request into the one that triggers the response that Dredd is about to check.
const { readFileSync } = require('node:fs')
const process = require('node:process')
// @ts-expect-error: Dredd provides it
const hooks = require('hooks')

/** @type {(typeof import('../answers.ts').answers)[number][]} */
const answers = JSON.parse(readFileSync(String(process.env.ANSWERS), 'utf8'))

hooks.beforeEach((/** @type {any} */ transaction) => {
  const { request, expected, origin } = transaction
  const answer = answers.find(({ template, status, declaredMethod }) => {
    return (
      template === origin.resourceName && declaredMethod === request.method && String(status) === expected.statusCode
    )
  })
  if (!answer) {
    transaction.skip = true
    return
  }
  request.method = answer.method
  transaction.fullPath = transaction.fullPath.replace(request.uri, answer.path)
  Object.assign(request.headers, answer.headers)
  if (answer.body !== undefined) request.body = answer.body
})

hooks.beforeEachValidation((/** @type {any} */ { real }) => {
  // A media type of the document allows any parameters; Dredd compares texts.
  const type = real.headers['content-type']
  if (type) real.headers['content-type'] = type.split(';')[0]
})
