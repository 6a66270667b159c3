// Adapts the OpenAPI document before Swagger UI reads it: commands use the server of this page, and deprecated
// operations say so in words.
import { formatDate } from './lifecycle.js'

const exampleServer = 'http://127.0.0.1:3000/v1'

export const rewrite = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateSpec:
          (original, { specSelectors }) =>
          (text) =>
            original(fit(text, specSelectors.url())),
      },
    },
  },
})

function fit(text, documentUrl) {
  const document = JSON.parse(text)
  const server = new URL(document.servers[0].url, new URL(documentUrl, location.href)).href
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    if (operation.deprecated) operation.description = `${notice(operation)}\n\n${operation.description ?? ''}`
  }
  return JSON.stringify(document).replaceAll(exampleServer, server)
}

function notice(operation) {
  const [since, sunset] = ['x-deprecated-since', 'x-sunset'].map((name) => operation[name])
  const dates = [since && `since ${formatDate(since)}`, sunset && `may be gone from ${formatDate(sunset)} on`]
  return `> **Deprecated** ${dates.filter(Boolean).join('; it ')}.`
}
