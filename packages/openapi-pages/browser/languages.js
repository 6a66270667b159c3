// Samples of a call in each language. A language quotes what it is given, so that nothing within is evaluated.

import { stringifyExactly } from './json.js'
import { javaScript, php, powerShell, python, ruby } from './languages-script.js'
import { csharp, go, java } from './languages-typed.js'

/**
 * @typedef {import('./request.js').Call} Call
 * @typedef {{ lang: string, label: string, write: (call: Call) => string }} Language
 */

/** @typedef {{ quoted(text: string): string, quote: string, keyed(text: string): string, variable(name: string): string, newLine: string, indent: number, withoutReturns?: string }} Shell */

/** @type {Shell} */
const sh = {
  quoted: (text) => `'${text.replaceAll("'", "'\\''")}'`,
  quote: '"',
  keyed: (text) => text.replace(/["$`\\]/g, '\\$&'),
  variable: (name) => `$${name}`,
  newLine: ' \\\n  ',
  indent: 2,
}

/** No quote is one to cmd.exe, so it reads carets everywhere. @type {Shell} */
const cmd = {
  quoted: (text) => `^"${inCmd(text)}^"`,
  quote: '^"',
  keyed: (text) => inCmd(text),
  variable: (name) => `%${name}%`,
  newLine: ' ^\n  ',
  indent: 0,
  withoutReturns: 'rem cmd.exe sends CR LF as LF.\n',
}
/** Programs read backslashes as they are, but before a quote ("Parsing C command-line arguments"). */
const inCmd = (/** @type {string} */ text) =>
  text
    .replace(/(\\*)"/g, '$1$1\\"')
    .replace(/\\+$/, '$&$&')
    .replace(/[^\w\s:=+~'/.,?;()*`-]/g, '^$&')
    .replace(/%(?=\w)/g, '%^')
    .replace(/\r?\n/g, '^\n\n')

/** @returns {string} */
function curlIn(/** @type {Shell} */ shell, /** @type {Call} */ { method, url, headers, body }) {
  const { quoted, quote, keyed, variable, newLine, indent, withoutReturns = '' } = shell
  const written = (/** @type {import('./request.js').Text} */ text) => {
    if (text.every((piece) => typeof piece === 'string')) return quoted(text.join(''))
    const pieces = text.map((piece) =>
      typeof piece === 'string' ? keyed(piece) : piece.variables.map(variable).join(':'),
    )
    return `${quote}${pieces.join('')}${quote}`
  }
  const sentHeaders = headers.filter(([name]) => !body?.parts || name !== 'Content-Type')
  const options = [
    ...(method === 'GET' && !body ? [] : method === 'HEAD' ? ['-I'] : [`${method === 'GET' ? '' : '-i '}-X ${method}`]),
    ...sentHeaders.map(([name, value]) => {
      const user = value.find((piece) => typeof piece !== 'string' && piece.encoding === 'base64')
      return user ? `-u ${written([user])}` : `-H ${written([`${name}: `, ...value])}`
    }),
    ...(body ? dataOf(body, quoted, indent) : []),
    url.length === 1 && /^[\w./:@,-]+$/.test(String(url[0])) ? String(url[0]) : written(url),
  ]
  const texts = body?.parts?.map(({ content }) => content) ?? body?.chunks ?? []
  const hasReturn = texts.some((text) => typeof text === 'string' && text.includes('\r'))
  return `${hasReturn ? withoutReturns : ''}curl ${options.join(newLine)}\n`
}

/** `--data` and `-F` would read a file for a text that begins with @. @returns {string[]} */
function dataOf(
  /** @type {NonNullable<Call['body']>} */ { json, parts, chunks },
  /** @type {Shell['quoted']} */ quoted,
  /** @type {number} */ indent,
) {
  if (parts) {
    return parts.map(({ name, type, content }) => {
      const more = type === undefined ? '' : `;type=${type}`
      if (typeof content !== 'string') return `-F ${quoted(`${name}=@${inForm(content.file)}${more}`)}`
      return more
        ? `-F ${quoted(`${name}="${escaped(content)}"${more}`)}`
        : `--form-string ${quoted(`${name}=${content}`)}`
    })
  }
  const [chunk = ''] = chunks
  if (typeof chunk !== 'string') return [`--data-binary ${quoted(`@${chunk.file}`)}`]
  // An empty text is no body to `--data-raw`, but it is one with a type.
  const text = json === undefined ? chunk : stringifyExactly(json, indent).replaceAll('\n', '\n  ')
  return [`--data-raw ${quoted(text)}`]
}

const escaped = (/** @type {string} */ text) => text.replace(/["\\]/g, '\\$&')
const inForm = (/** @type {string} */ file) => (/[",;\\]/.test(file) ? `"${escaped(file)}"` : file)

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
