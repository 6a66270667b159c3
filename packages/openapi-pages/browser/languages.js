// Samples of a call in each language. A language quotes what it is given, so that nothing within is evaluated.
import { javaScript, php, powerShell, python, ruby } from './languages-script.js'
import { csharp, go, java } from './languages-typed.js'

/**
 * @typedef {readonly (readonly [name: string, value: string])[]} Pairs
 * @typedef {{
 *   method: string,
 *   url: string,
 *   headers: Pairs,
 *   body: string | undefined,
 *   fields: readonly (readonly [name: string, value: string, file?: string])[] | undefined,
 *   file?: string | undefined,
 *   credential: { name: string, prefix: string } | undefined,
 *   client: { package: string, error: string, section: string, baseUrl: string } | undefined,
 *   operationId: string,
 *   args: readonly unknown[],
 *   hasResult: boolean,
 * }} Call `fields` of a multipart form, of which some are files; `file` is the body; a header `credential` takes the key; `args` of the typed client's method
 * @typedef {{ lang: string, label: string, write: (call: Call) => string }} Language
 */

/** @typedef {{ quoted(text: string): string, keyed(text: string): string, newLine: string }} Shell */

/** @type {Shell} */
const sh = {
  quoted: (text) => `'${text.replaceAll("'", "'\\''")}'`,
  keyed: (text) => `"${text.replace(/["$`\\]/g, '\\$&')}$API_KEY"`,
  newLine: ' \\\n  ',
}

/** No quote is one to cmd.exe, so it reads carets everywhere. @type {Shell} */
const cmd = {
  quoted: (text) => `^"${inCmd(text)}^"`,
  keyed: (text) => `^"${inCmd(text)}%API_KEY%^"`,
  newLine: ' ^\n  ',
}
/** Programs read backslashes as they are, but before a quote ("Parsing C command-line arguments"). */
const inCmd = (/** @type {string} */ text) =>
  text
    .replace(/(\\*)"/g, '$1$1\\"')
    .replace(/\\+$/, '$&$&')
    .replace(/[^\w\s:=+~'/.,?;()*`-]/g, '^$&')
    .replace(/%(?=\w)/g, '%^')
    .replace(/\r?\n/g, '^\n\n')

/** `--data` and `-F` would read a file for a text that begins with @. @returns {string} */
function curlIn(
  /** @type {Shell} */ { quoted, keyed, newLine },
  /** @type {Call} */ { method, url, credential, headers, body, fields, file },
) {
  const own = headers.filter(([name]) => !fields || name !== 'Content-Type')
  const options = [
    ...(method === 'GET' ? [] : [`-i -X ${method}`]),
    ...(credential ? [`-H ${keyed(`${credential.name}: ${credential.prefix}`)}`] : []),
    ...own.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(fields ?? []).map(([name, value, path]) =>
      path === undefined ? `--form-string ${quoted(`${name}=${value}`)}` : `-F ${quoted(`${name}=@${path}`)}`,
    ),
    ...(file === undefined ? [] : [`--data-binary ${quoted(`@${file}`)}`]),
    ...(body === undefined || fields || file !== undefined ? [] : [`--data-raw ${quoted(body)}`]),
    /^[\w./:@,-]+$/.test(url) ? url : quoted(url),
  ]
  return `curl ${options.join(newLine)}\n`
}

/** In the document and in the page. @type {readonly Language[]} */
export const languages = [
  { lang: 'Shell', label: 'curl', write: (call) => curlIn(sh, call) },
  { lang: 'JavaScript', label: 'JavaScript', write: javaScript },
  { lang: 'Python', label: 'Python', write: python },
  { lang: 'Go', label: 'Go', write: go },
]

/** Each on a page of its own, `/docs/samples/php`: in the document, they would double its size. @type {readonly Language[]} */
export const moreLanguages = [
  { lang: 'powershell', label: 'PowerShell', write: powerShell },
  { lang: 'bat', label: 'curl for cmd.exe', write: (call) => curlIn(cmd, call) },
  { lang: 'php', label: 'PHP', write: php },
  { lang: 'ruby', label: 'Ruby', write: ruby },
  { lang: 'java', label: 'Java', write: java },
  { lang: 'csharp', label: 'C#', write: csharp },
]
