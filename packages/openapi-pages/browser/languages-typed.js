// Samples in Go, in Java 17 and in C# for .NET 6, or newer, with their standard libraries.
import { chunksIn, expressionOf, usesOf } from './languages-text.js'

/** @typedef {import('./languages.js').Call} Call */

const hex = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Without what would end a line in C#, or break the source of Go. */
const double = (/** @type {string} */ text) => JSON.stringify(text).replace(/[\u0085\u2028\u2029\ufeff]/g, hex)

const inGo = {
  quoted: double,
  variable: (/** @type {string} */ name) => `os.Getenv("${name}")`,
  percent: (/** @type {string} */ value) => `url.QueryEscape(${value})`,
  base64: (/** @type {string} */ value) => `base64.StdEncoding.EncodeToString([]byte(${value}))`,
}

/** As it is, if it has no quote and no character that a source must not have. */
const raw = (/** @type {string} */ text) => (/^[^`\r\0\ufeff]*$/.test(text) ? `\`${text}\`` : double(text))

/** @returns {string} */
export function go(/** @type {Call} */ call) {
  const { method, url, headers, body } = call
  const { percent, base64 } = usesOf(call)
  /** @type {string[]} */
  const names = []
  const chunks = body
    ? chunksIn(body, body.json === undefined ? double : raw, (file) => `string(file${names.push(file)})`)
    : []
  const reads = names.map((name, at) => `\tfile${at + 1}, err := os.ReadFile(${double(name)})\n${failing}`)
  const sent = chunks.length > 0 ? `strings.NewReader(${chunks.join(' + ')})` : 'nil'
  const more = headers.map(([name, value]) => `\trequest.Header.Set(${double(name)}, ${expressionOf(value, inGo)})\n`)
  const imports = [
    ...(base64 ? ['encoding/base64'] : []),
    ...['fmt', 'io', 'log', 'net/http'],
    ...(percent ? ['net/url'] : []),
    'os',
    ...(body ? ['strings'] : []),
  ]
  return `package main

import (
${imports.map((name) => `\t"${name}"\n`).join('')})

func main() {
${reads.join('')}	request, err := http.NewRequest("${method}", ${expressionOf(url, inGo)}, ${sent})
${failing}${more.join('')}	response, err := http.DefaultClient.Do(request)
${failing}	defer response.Body.Close()

	fmt.Println(response.Status)
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		log.Fatal(err)
	}
}
`
}

const failing = `\tif err != nil {
		log.Fatal(err)
	}
`

/** Before version 18, Java reads its source in the encoding of the system. */
const ascii = (/** @type {string} */ text) => double(text).replace(/[^\0-\x7f]/g, hex)

/** A text block, whose lines begin where its end does. @returns {string} */
const block = (/** @type {string} */ text) => {
  if (!text.includes('\n')) return ascii(text)
  const lines = text.replace(/[\\]|"(?="")/g, '\\$&').replace(/[^\0-\x7f]/g, hex)
  const indent = ' '.repeat(16)
  return `"""\n${lines.replace(/^/gm, indent)}"""`
}

const inJava = {
  quoted: ascii,
  variable: (/** @type {string} */ name) => `System.getenv("${name}")`,
  percent: (/** @type {string} */ value) => `URLEncoder.encode(${value}, StandardCharsets.UTF_8)`,
  base64: (/** @type {string} */ value) =>
    `Base64.getEncoder().encodeToString((${value}).getBytes(StandardCharsets.UTF_8))`,
}

/** @returns {string} */
export function java(/** @type {Call} */ call) {
  const { method, url, headers, body } = call
  const { percent, base64, files } = usesOf(call)
  const publisher = (/** @type {string} */ name) => `HttpRequest.BodyPublishers.${name}`
  const chunks = body
    ? chunksIn(
        body,
        (text) => publisher(`ofString(${body.json === undefined ? ascii(text) : block(text)})`),
        (file) => publisher(`ofFile(Path.of(${ascii(file)}))`),
      )
    : []
  const [first = publisher('noBody()'), ...others] = chunks
  const sent = others.length > 0 ? publisher(`concat(${chunks.join(', ')})`) : first
  const lines = [
    `.method("${method}", ${sent})`,
    ...headers.map(([name, value]) => `.header(${ascii(name)}, ${expressionOf(value, inJava)})`),
  ]
  const imports = [
    'java.net.URI',
    ...(percent ? ['java.net.URLEncoder'] : []),
    ...['HttpClient', 'HttpRequest', 'HttpResponse'].map((name) => `java.net.http.${name}`),
    ...(percent || base64 ? ['java.nio.charset.StandardCharsets'] : []),
    ...(files ? ['java.nio.file.Path'] : []),
    ...(base64 ? ['java.util.Base64'] : []),
  ]
  return `${imports.map((name) => `import ${name};\n`).join('')}
public class Example {
    public static void main(String[] args) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(${expressionOf(url, inJava)}))
${lines.map((line) => `            ${line}\n`).join('')}            .build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.statusCode());
        System.out.println(response.body());
    }
}
`
}

/** Quotes are doubled in a text of several lines. */
const verbatim = (/** @type {string} */ text) =>
  text.includes('\n') && !text.includes('\r') ? `@"${text.replaceAll('"', '""')}"` : double(text)

const inCsharp = {
  quoted: double,
  variable: (/** @type {string} */ name) => `Environment.GetEnvironmentVariable("${name}")`,
  percent: (/** @type {string} */ value) => `Uri.EscapeDataString(${value})`,
  base64: (/** @type {string} */ value) => `Convert.ToBase64String(Encoding.UTF8.GetBytes(${value}))`,
}

/** RFC 9110, sections 8 and 10.2.1, as `HttpContentHeaders` has them: a request itself drops them. */
const ofContent = /^(allow|content-.*|expires|last-modified)$/i

/** @returns {string} */
export function csharp(/** @type {Call} */ call) {
  const { method, url, headers, body } = call
  const { base64, files } = usesOf(call)
  const hasContent = body || headers.some(([name]) => ofContent.test(name))
  const utf8 = (/** @type {string} */ text) => `Encoding.UTF8.GetBytes(${text})`
  const [first = '', ...others] = body
    ? chunksIn(
        body,
        (text) => utf8(body.json === undefined ? double(text) : verbatim(text)),
        (file) => `File.ReadAllBytes(${double(file)})`,
      )
    : ['new byte[0]']
  const bytes = [first, ...others.map((chunk) => `.Concat(${chunk})`), ...(others.length > 0 ? ['.ToArray()'] : [])]
  const lines = [
    ...(hasContent ? [`request.Content = new ByteArrayContent(${bytes.join('')});`] : []),
    ...headers.map(([name, value]) => {
      const target = ofContent.test(name) ? 'request.Content.Headers' : 'request.Headers'
      return `${target}.TryAddWithoutValidation(${double(name)}, ${expressionOf(value, inCsharp)});`
    }),
  ]
  return `${base64 || (body && (!files || others.length > 0)) ? 'using System.Text;\n\n' : ''}using var client = new HttpClient();
var request = new HttpRequestMessage(new HttpMethod("${method}"), ${expressionOf(url, inCsharp)});
${lines.map((line) => `${line}\n`).join('')}
using var response = await client.SendAsync(request);
Console.WriteLine((int)response.StatusCode);
Console.WriteLine(await response.Content.ReadAsStringAsync());
`
}
