// Samples in JavaScript, which call the client that the document names or else `fetch`, and in Python, PHP, Ruby and
// PowerShell with what comes with them.
import { isComposite, isDecimal, stringifyExactly } from './json.js'
import { chunksIn, expressionOf, usesOf } from './languages-text.js'

/** @typedef {import('./languages.js').Call} Call */

export const javaScript = (/** @type {Call} */ call) => (call.client ? clientCall(call, call.client) : fetchCall(call))

const inJavaScript = {
  quoted: (/** @type {string} */ text) => literal(text),
  variable: (/** @type {string} */ name) => `process.env.${name}`,
  percent: (/** @type {string} */ value) => `encodeURIComponent(${value})`,
  base64: (/** @type {string} */ value) => `Buffer.from(${value}).toString('base64')`,
}

/** Fetch Standard: no body with GET and HEAD, and no TRACE. @returns {string} */
function fetchCall(/** @type {Call} */ call) {
  const { method, url, headers, body } = call
  if (/^(TRACE|CONNECT)$/.test(method)) return `// fetch sends no ${method}: use another client\n`
  const isBodiless = method === 'GET' && body
  const sent = headers.filter(([name]) => !isBodiless || name !== 'Content-Type')
  const lines = sent.map(([name, value]) => `    ${keyOf(name)}: ${expressionOf(value, inJavaScript)},\n`)
  const options = [
    `method: '${method}'`,
    ...(lines.length > 0 ? [`headers: {\n${lines.join('')}  }`] : []),
    ...(body && !isBodiless ? [`body: ${bodyInJavaScript(body)}`] : []),
  ]
  return `${usesOf(call).files ? "import { openAsBlob } from 'node:fs'\n\n" : ''}${isBodiless ? '// fetch sends no body with GET: the one of this request is left out\n' : ''}const response = await fetch(${expressionOf(url, inJavaScript)}, {
${options.map((option) => `  ${option},\n`).join('')}})
console.log(response.status, await response.text())
`
}

/** Numbers that JavaScript would round stay text. @returns {string} */
function bodyInJavaScript(/** @type {NonNullable<Call['body']>} */ body) {
  if (body.json !== undefined && !isRounded(body.json)) return `JSON.stringify(${literal(body.json, '  ')})`
  const template = (/** @type {string} */ text) =>
    `\`${text.replace(/[`\\]|\$(?=\{)/g, '\\$&').replaceAll('\r', '\\r')}\``
  const [first = "''", ...others] = chunksIn(
    body,
    body.json === undefined ? literal : template,
    (file) => `await openAsBlob(${literal(file)})`,
  )
  return others.length === 0 ? first : `new Blob([${[first, ...others].join(', ')}])`
}

/** Whether a number within has more digits than a double. @returns {boolean} */
const isRounded = (/** @type {unknown} */ value) =>
  isAnyWithin(value, (one) => isDecimal(one) || (typeof one === 'bigint' && !Number.isSafeInteger(Number(one))))

/** @returns {boolean} */
function isAnyWithin(/** @type {unknown} */ value, /** @type {(one: unknown) => boolean} */ isSo) {
  return isSo(value) || (isComposite(value) && Object.values(value).some((one) => isAnyWithin(one, isSo)))
}

/** @returns {string} */
function clientCall(
  /** @type {Call} */ { operationId, method, args, hasResult },
  /** @type {NonNullable<Call['client']>} */ client,
) {
  const { package: name, error, section, baseUrl } = client
  const member = /^[\w$]+$/.test(operationId) ? `.${operationId}` : `[${literal(operationId)}]`
  const call = `await client${member}(${args.map((arg) => inClient(arg)).join(', ')})`
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

/** The client takes integers of 64 bits as bigints. @returns {string} */
const inClient = (/** @type {unknown} */ value) => literal(value, undefined, 'n')

/** A value as JavaScript, in several lines if its indentation is given. @returns {string} */
function literal(/** @type {unknown} */ value, /** @type {string | undefined} */ indent = undefined, suffix = '') {
  if (typeof value === 'bigint') return `${value}${suffix}`
  if (typeof value === 'string') return quotedOnce(value)
  if (!isComposite(value)) return stringifyExactly(value)
  const inner = indent === undefined ? undefined : `${indent}  `
  const isList = Array.isArray(value)
  const fields = Object.entries(value).map(
    ([name, member]) => `${isList ? '' : `${keyOf(name)}: `}${literal(member, inner, suffix)}`,
  )
  const [open, close] = isList ? '[]' : '{}'
  if (fields.length === 0) return `${open}${close}`
  if (inner !== undefined) return `${open}\n${fields.map((field) => `${inner}${field},\n`).join('')}${indent}${close}`
  return isList ? `[${fields.join(', ')}]` : `{ ${fields.join(', ')} }`
}

/** `__proto__` would set the prototype. @returns {string} */
const keyOf = (/** @type {string} */ name) => {
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quotedOnce(name)
}

const quotedOnce = (/** @type {string} */ text) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const indented = (/** @type {string} */ text) => text.replace(/^(?=.)/gm, '  ')

const inPython = {
  quoted: (/** @type {string} */ text) => JSON.stringify(text),
  variable: (/** @type {string} */ name) => `os.environ["${name}"]`,
  percent: (/** @type {string} */ value) => `quote(${value}, safe="")`,
  base64: (/** @type {string} */ value) => `b64encode((${value}).encode()).decode()`,
}

/** @returns {string} */
export function python(/** @type {Call} */ call) {
  const { method, url, headers, body } = call
  const { keys, percent, base64 } = usesOf(call)
  const sent = headers.map(([name, value]) => `        ${JSON.stringify(name)}: ${expressionOf(value, inPython)},\n`)
  const data =
    body &&
    (body.json === undefined
      ? chunksIn(
          body,
          (text) => `${JSON.stringify(text)}.encode()`,
          (file) => `open(${JSON.stringify(file)}, "rb").read()`,
        ).join(' + ')
      : isAnyWithin(body.json, isDecimal) // Python rounds decimals, and has integers of any size
        ? `${JSON.stringify(stringifyExactly(body.json))}.encode()`
        : `json.dumps(${inLines(body.json, '    ')}).encode()`)
  const imports = [...(data?.startsWith('json') ? ['json'] : []), ...(keys ? ['os'] : [])].map(
    (name) => `import ${name}\n`,
  )
  return `${imports.join('')}${base64 ? 'from base64 import b64encode\n' : ''}from urllib.error import HTTPError
${percent ? 'from urllib.parse import quote\n' : ''}from urllib.request import Request, urlopen

request = Request(
    ${expressionOf(url, inPython)},
    method="${method}",
${sent.length > 0 ? `    headers={\n${sent.join('')}    },\n` : ''}${data === undefined ? '' : `    data=${data},\n`})
try:
    response = urlopen(request)
except HTTPError as error:
    response = error
print(response.status, response.read().decode())
`
}

/** A value as Python. @returns {string} */
function inLines(/** @type {unknown} */ value, /** @type {string} */ indent) {
  if (typeof value !== 'object')
    return typeof value === 'boolean' ? (value ? 'True' : 'False') : stringifyExactly(value)
  if (value === null) return 'None'
  const inner = `${indent}    `
  const isList = Array.isArray(value)
  const fields = Object.entries(value).map(
    ([name, member]) => `${inner}${isList ? '' : `${JSON.stringify(name)}: `}${inLines(member, inner)},\n`,
  )
  const [open, close] = isList ? '[]' : '{}'
  return fields.length === 0 ? `${open}${close}` : `${open}\n${fields.join('')}${indent}${close}`
}

const single = (/** @type {string} */ text) => `'${text.replace(/[\\']/g, '\\$&')}'`

const inPhp = {
  quoted: single,
  variable: (/** @type {string} */ name) => `getenv('${name}')`,
  percent: (/** @type {string} */ value) => `rawurlencode(${value})`,
  base64: (/** @type {string} */ value) => `base64_encode(${value})`,
  plus: ' . ',
}

/** @returns {string} */
export function php(/** @type {Call} */ { method, url, headers, body }) {
  const sent = headers.map(([name, value]) => `        ${expressionOf([`${name}: `, ...value], inPhp)},\n`)
  const data = body && chunksIn(body, single, (file) => `file_get_contents(${single(file)})`).join(' . ')
  return `<?php

$request = curl_init(${expressionOf(url, inPhp)});
curl_setopt_array($request, [
${method === 'HEAD' ? '    CURLOPT_NOBODY => true,\n' : `    CURLOPT_CUSTOMREQUEST => '${method}',\n`}${sent.length > 0 ? `    CURLOPT_HTTPHEADER => [\n${sent.join('')}    ],\n` : ''}${data === undefined ? '' : `    CURLOPT_POSTFIELDS => ${data},\n`}    CURLOPT_RETURNTRANSFER => true,
]);
$body = curl_exec($request);
if ($body === false) {
    throw new RuntimeException(curl_error($request));
}
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), "\\n", $body, "\\n";
`
}

const inRuby = {
  quoted: single,
  variable: (/** @type {string} */ name) => `ENV.fetch('${name}')`,
  percent: (/** @type {string} */ value) => `URI.encode_www_form_component(${value})`,
  base64: (/** @type {string} */ value) => `[${value}].pack('m0')`,
}

/** Ruby reads a carriage return in its source as a part of the end of the line. */
const singleRuby = (/** @type {string} */ text) => text.split('\r').map(single).join(' "\\r" ')

/** @returns {string} */
export function ruby(/** @type {Call} */ call) {
  const { method, url, headers, body } = call
  const isBytes = usesOf(call).files
  const data =
    body &&
    chunksIn(
      body,
      (text) => `${singleRuby(text)}${isBytes ? '.b' : ''}`,
      (file) => `File.binread(${single(file)})`,
    ).join(' + ')
  const lines = [
    ...headers.map(([name, value]) => `request[${single(name)}] = ${expressionOf(value, inRuby)}`),
    ...(data === undefined ? [] : [`request.body = ${data}`]),
  ]
  const named = `${method[0]}${method.slice(1).toLowerCase()}`
  const create = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE)$/.test(method)
    ? `Net::HTTP::${named}.new(uri)`
    : `Net::HTTPGenericRequest.new('${method}', true, true, uri)`
  return `require 'net/http'

uri = URI(${expressionOf(url, inRuby)})
request = ${create}
${lines.map((line) => `${line}\n`).join('')}
response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }
puts response.code, response.body
`
}

/** PowerShell also takes typographic quotes for quotes. */
const doubled = (/** @type {string} */ text) => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`

const bytesOf = (/** @type {string} */ text) => `[Text.Encoding]::UTF8.GetBytes(${text})`

const inPowerShell = {
  quoted: doubled,
  variable: (/** @type {string} */ name) => `$env:${name}`,
  percent: (/** @type {string} */ value) => `[Uri]::EscapeDataString(${value})`,
  base64: (/** @type {string} */ value) => `[Convert]::ToBase64String(${bytesOf(value)})`,
}

/** The bytes of the body: Windows PowerShell would send text as ISO 8859-1. @returns {string} */
export function powerShell(/** @type {Call} */ { method, url, headers, body }) {
  const isType = (/** @type {string} */ name) => name === 'Content-Type'
  const sent = headers
    .filter(([name]) => !isType(name))
    .map(([name, value]) => `    ${doubled(name)} = ${expressionOf(value, inPowerShell)}\n`)
  const chunks = body
    ? chunksIn(
        body,
        (text) => bytesOf(doubled(text)),
        (file) => `[IO.File]::ReadAllBytes((Resolve-Path ${doubled(file)}))`,
      )
    : []
  const lines = [
    `Method = '${method}'`,
    `Uri = ${expressionOf(url, inPowerShell)}`,
    ...(sent.length > 0 ? [`Headers = @{\n${sent.join('')}  }`] : []),
    ...headers.filter(([name]) => isType(name)).map(([, type]) => `ContentType = ${expressionOf(type, inPowerShell)}`),
    ...(chunks.length > 0 ? [`Body = ${chunks.length > 1 ? `[byte[]](${chunks.join(' + ')})` : chunks[0]}`] : []),
  ]
  return `$request = @{
${lines.map((line) => `  ${line}\n`).join('')}}
$response = Invoke-WebRequest -UseBasicParsing @request
"$($response.StatusCode) $($response.Content)"
`
}
