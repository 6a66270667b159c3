// Code samples of operations, made from their examples. Addresses begin with `exampleServer`.
import { stringify } from 'lossless-json'
import { exampleServer } from '../spec/document.ts'
import { exampleRequest, targetOf } from '../spec/example-request.ts'
import { type Document, type Model, modelOf, type Operation, withExtension } from '../spec/model/index.ts'

interface Call {
  client: Model['info']['client']
  operationId: string
  method: string
  url: string
  /** The credential, as a header with the key in place of `$API_KEY`; undefined if the operation is open or has none. */
  credential: { name: string; prefix: string } | undefined
  headers: [name: string, value: string][]
  body: string | undefined
  /** The arguments of the typed client's method, as code. */
  args: string
  hasResult: boolean
}

/** The document with samples for the operations that bring none. */
export function withSamples(document: Document): Document {
  const model = modelOf(document)
  return withExtension(document, 'x-codeSamples', (operation) => {
    const call = callOf(model, operation)
    return operation['x-codeSamples'] ?? languages.map(([lang, label, write]) => ({ lang, label, source: write(call) }))
  })
}

function callOf(model: Model, operation: Operation): Call {
  const { type, body, ...request } = exampleRequest(operation)
  const input = Object.entries({ query: request.query, headers: request.headers, body }).filter(
    ([, part]) => part !== undefined && Object.keys(Object(part)).length > 0,
  )
  const args = [...Object.values(request.path), ...(input.length > 0 ? [Object.fromEntries(input)] : [])]
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
  const hasBody = type !== undefined && body !== undefined
  return {
    client: model.info.client,
    operationId: operation.id,
    method: operation.method,
    url: `${exampleServer}${targetOf(operation, request)}`,
    credential: credentialOf(model, operation),
    headers: hasBody ? [...headers, ['Content-Type', type]] : headers,
    body: hasBody ? bodyText(type, body) : undefined,
    args: args.map(literal).join(', '),
    hasResult: operation.responses.some(({ status, media }) => status.startsWith('2') && media.length > 0),
  }
}

/** JSON with all digits, a form, or the text itself. */
function bodyText(type: string, body: unknown): string {
  if (typeof body === 'string') return body
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return String(stringify(body))
  const pairs = Object.entries(body as object).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((one): [string, string] => [name, typeof one === 'object' ? String(stringify(one)) : String(one)]),
  )
  return String(new URLSearchParams(pairs))
}

/** How the first alternative of the operation's security sends its key. A key in the query is left to the reader. */
function credentialOf({ securitySchemes }: Model, { security = [] }: Operation): Call['credential'] {
  const scheme = securitySchemes.get(String(security[0]?.[0]))
  if (!scheme) return undefined
  if (scheme.type === 'apiKey') {
    if (scheme.in === 'query') return undefined
    return scheme.in === 'cookie' ? { name: 'Cookie', prefix: `${scheme.name}=` } : { name: scheme.name, prefix: '' }
  }
  const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic'
  return { name: 'Authorization', prefix: isBasic ? 'Basic ' : 'Bearer ' }
}

const languages = [
  ['Shell', 'curl', curl],
  ['JavaScript', 'JavaScript', javaScript],
  ['Python', 'Python', python],
  ['Go', 'Go', go],
] as const

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

const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const indented = (text: string) => text.replace(/^(?=.)/gm, '  ')

function curl({ method, url, credential, headers, body }: Call): string {
  const options = [
    ...(method === 'GET' ? [] : [`-i -X ${method}`]),
    ...(credential ? [`-H "${credential.name}: ${credential.prefix}$API_KEY"`] : []),
    ...headers.map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${inShell(body)}`]),
    url.includes('?') ? inShell(url) : url,
  ]
  return `curl ${options.join(' \\\n  ')}\n`
}

function javaScript(call: Call): string {
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
  const call = `await client${member}(${args})`
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

function python({ method, url, credential, headers, body, hasResult }: Call): string {
  const isSafe = method === 'GET'
  const use = `with urlopen(request)${hasResult ? ' as response:\n    print(json.load(response))' : ':\n    print("done")'}\n`
  const sent = [
    ...(credential ? [`${JSON.stringify(credential.name)}: f"${credential.prefix}{os.environ['API_KEY']}"`] : []),
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ]
  return `import json
${credential ? 'import os\n' : ''}${isSafe ? '' : 'from urllib.error import HTTPError\n'}from urllib.request import Request, urlopen

request = Request(
    ${JSON.stringify(url)},
${isSafe ? '' : `    method="${method}",\n`}    headers={${sent.join(', ')}},
${body === undefined ? '' : `    data=${JSON.stringify(body)}.encode(),\n`})

${isSafe ? use : `try:\n${indented(indented(use))}except HTTPError as error:\n    print(json.load(error)["code"])\n`}`
}

function go({ method, url, credential, headers, body }: Call): string {
  const sent = body === undefined ? 'nil' : `strings.NewReader(${JSON.stringify(body)})`
  const more = headers.map(
    ([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})\n`,
  )
  const value = credential?.prefix
    ? `${JSON.stringify(credential.prefix)}+os.Getenv("API_KEY")`
    : 'os.Getenv("API_KEY")'
  const key = credential ? `\trequest.Header.Set(${JSON.stringify(credential.name)}, ${value})\n` : ''
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
${body === undefined ? '' : '\t"strings"\n'})

func main() {
	request, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${sent})
	if err != nil {
		log.Fatal(err)
	}
${key}${more.join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	fmt.Println(response.Status)
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		log.Fatal(err)
	}
}
`
}
