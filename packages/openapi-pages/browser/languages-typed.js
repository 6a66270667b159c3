// Samples in Go, in Java 11 and in C# for .NET 6, or newer, with their standard libraries.

/** @typedef {import('./languages.js').Call} Call */

/** Without what would end a line in C#. */
const double = (/** @type {string} */ text) =>
  JSON.stringify(text).replace(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Before version 18, Java reads its source in the encoding of the system. */
const ascii = (/** @type {string} */ text) =>
  double(text).replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The key behind its prefix. */
export const keyed = (/** @type {string} */ prefix, /** @type {string} */ key, quoted = double, plus = ' + ') =>
  prefix ? `${quoted(prefix)}${plus}${key}` : key

/** @returns {string} */
export function go(/** @type {Call} */ { method, url, credential, headers, body }) {
  const sent = body === undefined ? 'nil' : `strings.NewReader(${double(body)})`
  const more = headers.map(([name, value]) => `\trequest.Header.Set(${double(name)}, ${double(value)})\n`)
  const value = keyed(credential?.prefix ?? '', 'os.Getenv("API_KEY")')
  const key = credential ? `\trequest.Header.Set(${double(credential.name)}, ${value})\n` : ''
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
${body === undefined ? '' : '\t"strings"\n'})

func main() {
	request, err := http.NewRequest("${method}", ${double(url)}, ${sent})
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

/** @returns {string} */
export function java(/** @type {Call} */ { method, url, credential, headers, body }) {
  const lines = [
    `.method("${method}", HttpRequest.BodyPublishers.${body === undefined ? 'noBody()' : `ofString(${ascii(body)})`})`,
    ...(credential
      ? [`.header(${ascii(credential.name)}, ${keyed(credential.prefix, 'System.getenv("API_KEY")', ascii)})`]
      : []),
    ...headers.map(([name, value]) => `.header(${ascii(name)}, ${ascii(value)})`),
  ]
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class Example {
    public static void main(String[] args) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(${ascii(url)}))
${lines.map((line) => `            ${line}\n`).join('')}            .build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.statusCode());
        System.out.println(response.body());
    }
}
`
}

/** @returns {string} */
export function csharp(/** @type {Call} */ { method, url, credential, headers, body }) {
  const add = (/** @type {string} */ name, /** @type {string} */ value) =>
    `request.Headers.TryAddWithoutValidation(${double(name)}, ${value});`
  const [type] = headers.filter(([name]) => name === 'Content-Type').map(([, value]) => value)
  const lines = [
    ...(credential
      ? [add(credential.name, keyed(credential.prefix, 'Environment.GetEnvironmentVariable("API_KEY")'))]
      : []),
    ...headers.filter(([name]) => name !== 'Content-Type').map(([name, value]) => add(name, double(value))),
    ...(body === undefined
      ? []
      : [
          `request.Content = new StringContent(${double(body)});`,
          `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${double(String(type))});`,
        ]),
  ]
  return `using System.Net.Http.Headers;

using var client = new HttpClient();
var request = new HttpRequestMessage(new HttpMethod("${method}"), ${double(url)});
${lines.map((line) => `${line}\n`).join('')}
using var response = await client.SendAsync(request);
Console.WriteLine((int)response.StatusCode);
Console.WriteLine(await response.Content.ReadAsStringAsync());
`
}
