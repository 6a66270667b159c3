// Samples in JavaScript: they call the client that the document names, or else `fetch`.
import { exampleServer } from '../server.ts'
import type { Call } from './call.ts'

export function javaScript(call: Call): string {
  return call.client ? clientCall(call, call.client) : fetchCall(call)
}

function fetchCall({ method, url, credential, headers, body }: Call): string {
  const sent = [
    ...(credential ? [`${literal(credential.name)}: \`${credential.prefix}\${process.env.API_KEY}\``] : []),
    ...headers.map(([name, value]) => `${literal(name)}: ${literal(value)}`),
  ]
  const options = [
    `method: '${method}'`,
    ...(sent.length > 0 ? [`headers: { ${sent.join(', ')} }`] : []),
    ...(body === undefined ? [] : [`body: ${literal(body)}`]),
  ]
  return `const response = await fetch(${literal(url)}, {
${options.map((option) => `  ${option},\n`).join('')}})
console.log(response.status, await response.text())
`
}

function clientCall(
  { operationId, method, args, hasResult }: Call,
  { package: name, error, section }: NonNullable<Call['client']>,
): string {
  const member = /^[\w$]+$/.test(operationId) ? `.${operationId}` : `[${JSON.stringify(operationId)}]`
  const call = `await client${member}(${args.map(literal).join(', ')})`
  const use = hasResult ? `console.log(${call})\n` : `${call}\nconsole.log('done')\n`
  const handled = `try {\n${indented(use)}} catch (error) {
  if (!(error instanceof ${error})) throw error
  console.log(error.code)
}
`
  return `// To install it, see "${section}"
import { createClient${method === 'GET' ? '' : `, ${error}`} } from '${name}'

const { API_KEY = '' } = process.env // an empty key is rejected at once
const client = createClient({ baseUrl: '${exampleServer}', apiKey: API_KEY })

${method === 'GET' ? use : handled}`
}

/** A value as JavaScript. */
function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, one]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${literal(one)}`,
  )
  return `{ ${fields.join(', ')} }`
}

const indented = (text: string) => text.replace(/^(?=.)/gm, '  ')
