// Documents of other projects: each operation gets its example request and echoes it.
import t from 'tap'
import { buildDocumentApp } from 'test-kit/document-app'
import { methodsOf } from '../../../../packages/client/call.ts'
import { tableOf } from '../../../../packages/client/scripts/generate.ts'
import { modelOf } from '../../../../packages/exact-openapi/src/model/index.ts'
import { anyFile } from '../../../../packages/openapi-pages/browser/body.js'
import { exampleRequest } from '../../../../packages/openapi-pages/src/example-request.ts'
import { echo, echoing, names } from '../../../runners/foreign/echo.ts'

for (const name of names) {
  t.test(`the operations of ${name} get the input of their examples`, async (t) => {
    const document = echoing(name)
    const { app, got } = await buildDocumentApp(t, document, { stub: echo })
    const baseUrl = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`
    const client = methodsOf(tableOf(document), { baseUrl, apiKey: 'any' })
    for (const operation of modelOf(document).operations) {
      const { id: operationId } = operation
      const { path: inPath, type, ...example } = exampleRequest(operation)
      const input = { ...example, ...(example.body === anyFile && { body: Buffer.from('bytes') }) }
      const result = await client[operationId]?.(...Object.values(inPath), input)
      const sent = { path: inPath, ...input }
      const echoed = { ...sent, ...(type?.includes('octet') && { body: undefined, size: 5 }) }
      t.match(plain(result), plain(echoed), operationId)
      t.match(plain(got[operationId]), plain(sent), operationId)
    }
  })
}

/** Without the types of numbers, and without empty values. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Buffer.isBuffer(value)) return String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([key, one]) => [key, plain(one)])
  return Object.fromEntries(
    fields.filter(
      ([, one]) => one !== undefined && Object.keys(Object(one)).length + Number(typeof one !== 'object') > 0,
    ),
  )
}
