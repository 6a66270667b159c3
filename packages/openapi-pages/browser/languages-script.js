// Samples in JavaScript, which call the client that the document names or else `fetch`, and in Python, PHP, Ruby and
// PowerShell with what comes with them.

import { keyed } from './languages-typed.js'

/** @typedef {import('./languages.js').Call} Call */

export const javaScript = (/** @type {Call} */ call) => (call.client ? clientCall(call, call.client) : fetchCall(call))

/** @returns {string} */
function fetchCall(/** @type {Call} */ { method, url, credential, headers, body }) {
  const sent = [
    ...(credential ? [`${literal(credential.name)}: ${keyed(credential.prefix, 'process.env.API_KEY')}`] : []),
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

/** @returns {string} */
function clientCall(
  /** @type {Call} */ { operationId, method, args, hasResult },
  /** @type {NonNullable<Call['client']>} */ client,
) {
  const { package: name, error, section, baseUrl } = client
  const member = /^[\w$]+$/.test(operationId) ? `.${operationId}` : `[${literal(operationId)}]`
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
const client = createClient({ baseUrl: '${baseUrl}', apiKey: API_KEY })

${method === 'GET' ? use : handled}`
}

/** A value as JavaScript. @returns {string} */
function literal(/** @type {unknown} */ value) {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, one]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${literal(one)}`,
  )
  return `{ ${fields.join(', ')} }`
}

const indented = (/** @type {string} */ text) => text.replace(/^(?=.)/gm, '  ')

/** @returns {string} */
export function python(/** @type {Call} */ { method, url, credential, headers, body }) {
  const sent = [
    ...(credential ? [`${literal(credential.name)}: ${keyed(credential.prefix, 'os.environ["API_KEY"]')}`] : []),
    ...headers.map(([name, value]) => `${literal(name)}: ${literal(value)}`),
  ]
  return `${credential ? 'import os\n' : ''}from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    ${literal(url)},
    method="${method}",
    headers={${sent.join(', ')}},
${body === undefined ? '' : `    data=${literal(body)}.encode(),\n`})
try:
    response = urlopen(request)
except HTTPError as error:
    response = error
print(response.status, response.read().decode())
`
}

const single = (/** @type {string} */ text) => `'${text.replace(/[\\']/g, '\\$&')}'`

/** @returns {string} */
export function php(/** @type {Call} */ { method, url, credential, headers, body }) {
  const sent = [
    ...(credential ? [`${single(`${credential.name}: ${credential.prefix}`)} . getenv('API_KEY')`] : []),
    ...headers.map(([name, value]) => single(`${name}: ${value}`)),
  ]
  return `<?php

$request = curl_init(${single(url)});
curl_setopt_array($request, [
    CURLOPT_CUSTOMREQUEST => '${method}',
    CURLOPT_HTTPHEADER => [${sent.join(', ')}],
${body === undefined ? '' : `    CURLOPT_POSTFIELDS => ${single(body)},\n`}    CURLOPT_RETURNTRANSFER => true,
]);
$body = curl_exec($request);
if ($body === false) {
    throw new RuntimeException(curl_error($request));
}
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), "\\n", $body, "\\n";
`
}

/** Ruby reads a carriage return in its source as a part of the end of the line. */
const singleRuby = (/** @type {string} */ text) => text.split('\r').map(single).join(' "\\r" ')

/** @returns {string} */
export function ruby(/** @type {Call} */ { method, url, credential, headers, body }) {
  const lines = [
    ...(credential
      ? [`request[${single(credential.name)}] = ${keyed(credential.prefix, "ENV.fetch('API_KEY')", single)}`]
      : []),
    ...headers.map(([name, value]) => `request[${single(name)}] = ${single(value)}`),
    ...(body === undefined ? [] : [`request.body = ${singleRuby(body)}`]),
  ]
  return `require 'net/http'

uri = URI(${single(url)})
request = Net::HTTP::${method[0]}${method.slice(1).toLowerCase()}.new(uri)
${lines.map((line) => `${line}\n`).join('')}
response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }
puts response.code, response.body
`
}

/** PowerShell also takes typographic quotes for quotes. */
const doubled = (/** @type {string} */ text) => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`

/** The bytes of the body: Windows PowerShell would send text as ISO 8859-1. @returns {string} */
export function powerShell(/** @type {Call} */ { method, url, credential, headers, body }) {
  const isType = (/** @type {string} */ name) => name === 'Content-Type'
  const sent = [
    ...(credential ? [`${doubled(credential.name)} = ${keyed(credential.prefix, '$env:API_KEY', doubled)}`] : []),
    ...headers.filter(([name]) => !isType(name)).map(([name, value]) => `${doubled(name)} = ${doubled(value)}`),
  ]
  const lines = [
    `Method = '${method}'`,
    `Uri = ${doubled(url)}`,
    ...(sent.length > 0 ? [`Headers = @{ ${sent.join('; ')} }`] : []),
    ...headers.filter(([name]) => isType(name)).map(([, type]) => `ContentType = ${doubled(type)}`),
    ...(body === undefined ? [] : [`Body = [Text.Encoding]::UTF8.GetBytes(${doubled(body)})`]),
  ]
  return `$request = @{
${lines.map((line) => `  ${line}\n`).join('')}}
$response = Invoke-WebRequest -UseBasicParsing @request
"$($response.StatusCode) $($response.Content)"
`
}
