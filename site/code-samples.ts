// Code samples of operations, made from their examples. Addresses begin with `exampleServer`.
import { exampleServer } from '../spec/document.ts'
import { exampleRequest, targetOf } from '../spec/example-request.ts'
import { type Document, type Operation, operationsOf } from '../spec/model/document.ts'

interface Call {
  operationId: string
  method: string
  url: string
  headers: [name: string, value: string][]
  body: string | undefined
  /** The arguments of the typed client's method, as code. */
  args: string
  hasResult: boolean
}

/** The document with samples for the operations that bring none. */
export function withSamples(document: Document): Document {
  const paths = structuredClone(document.paths)
  for (const { method, path, operation } of operationsOf({ ...document, paths })) {
    const call = callOf(document, method, path, operation)
    operation['x-codeSamples'] ??= languages.map(([lang, label, write]) => ({ lang, label, source: write(call) }))
  }
  return { ...document, paths }
}

function callOf(document: Document, method: string, path: string, operation: Operation): Call {
  const { operationId = '', responses } = operation
  const { type, body, ...request } = exampleRequest(document, path, operation)
  const input = Object.entries({ query: request.query, headers: request.headers, body }).filter(
    ([, part]) => part !== undefined && Object.keys(Object(part)).length > 0,
  )
  const args = [...Object.values(request.path), ...(input.length > 0 ? [Object.fromEntries(input)] : [])]
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
  return {
    operationId,
    method,
    url: `${exampleServer}${targetOf(path, request)}`,
    headers: type === undefined ? headers : [...headers, ['Content-Type', type]],
    body: type === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    args: args.map(literal).join(', '),
    hasResult: !('204' in responses),
  }
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

function curl({ method, url, headers, body }: Call): string {
  const options = [
    ...(method === 'GET' ? [] : [`-i -X ${method}`]),
    '-H "Authorization: Bearer $API_KEY"',
    ...headers.map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${inShell(body)}`]),
    url.includes('?') ? inShell(url) : url,
  ]
  return `curl ${options.join(' \\\n  ')}\n`
}

function javaScript({ operationId, method, args, hasResult }: Call): string {
  const call = `await client.${operationId}(${args})`
  const use = hasResult ? `console.log(${call})\n` : `${call}\nconsole.log('done')\n`
  const handled = `try {\n${indented(use)}} catch (error) {
  if (!(error instanceof StoreOrdersError)) throw error
  console.log(error.code)
}
`
  return `// To install it, see "Clients in other languages"
import { createClient${method === 'GET' ? '' : ', StoreOrdersError'} } from 'store-orders-client'

const { API_KEY = '' } = process.env // an empty key is rejected at once
const client = createClient({ baseUrl: '${exampleServer}', apiKey: API_KEY })

${method === 'GET' ? use : handled}`
}

function python({ method, url, headers, body, hasResult }: Call): string {
  const isSafe = method === 'GET'
  const use = `with urlopen(request)${hasResult ? ' as response:\n    print(json.load(response))' : ':\n    print("done")'}\n`
  const more = headers.map(([name, value]) => `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`).join('')
  return `import json
import os
${isSafe ? '' : 'from urllib.error import HTTPError\n'}from urllib.request import Request, urlopen

request = Request(
    ${JSON.stringify(url)},
${isSafe ? '' : `    method="${method}",\n`}    headers={"Authorization": f"Bearer {os.environ['API_KEY']}"${more}},
${body === undefined ? '' : `    data=${JSON.stringify(body)}.encode(),\n`})

${isSafe ? use : `try:\n${indented(indented(use))}except HTTPError as error:\n    print(json.load(error)["code"])\n`}`
}

function go({ method, url, headers, body }: Call): string {
  const sent = body === undefined ? 'nil' : `strings.NewReader(${JSON.stringify(body)})`
  const more = headers.map(
    ([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})\n`,
  )
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
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
${more.join('')}	response, err := http.DefaultClient.Do(request)
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
