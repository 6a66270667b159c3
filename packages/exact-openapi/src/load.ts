// Documents as files, in YAML or JSON. They are frozen.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isLosslessNumber, parse as parseJson } from 'lossless-json'
import { parse, type ScalarTag, type Tags } from 'yaml'
import {
  bundled,
  type Document,
  documentOf,
  exactNumber,
  frozen,
  type RawDocument,
  roundedButExamples,
} from './model/index.ts'

/** @param file a URL or a path @throws when it, or one that it refers to, cannot be read or is neither YAML nor JSON */
export const loadDocument = (file: URL | string): Document => readDocument(fileUrl(file))

/** `file://…`, in a text or a URL, or a path. */
const fileUrl = (file: URL | string): URL =>
  typeof file !== 'string' ? file : /^file:/.test(file) ? new URL(file) : pathToFileURL(resolve(file))

/** @param noteFile gets the file and those that it refers to */
export function readDocument(file: URL, noteFile: (file: URL) => void = () => {}): Document {
  const { parsed, documentIn } = parser()
  const read = (url: URL) => {
    noteFile(url)
    return parsed(readFileSync(url, 'utf8'), fileURLToPath(url))
  }
  const whole = bundled(read(file), file, (other) => {
    noteFile(other)
    return existsSync(other) ? read(other) : undefined
  })
  return documentIn(whole)
}

/** @throws when the text is neither YAML nor JSON; the message begins with the name */
export function parseDocument(text: string, name: string): Document {
  const { parsed, documentIn } = parser()
  return documentIn(parsed(text, name))
}

/** Of one document and the files that it refers to. */
function parser() {
  let hasDecimals = false // few documents have one
  const numberIn = (text: string) => {
    const number = exactNumber(text)
    hasDecimals ||= isLosslessNumber(number)
    return number
  }
  const exact = (_key: unknown, value: unknown) => (typeof value === 'bigint' ? numberIn(String(value)) : value)
  const customTags = (tags: Tags) => tags.map((tag) => (isFloat(tag) ? withDigits(tag, numberIn) : tag))

  /** Several times as fast as the parser of YAML. */
  function jsonIn(text: string): object | undefined {
    if (!/^\s*\{/.test(text)) return undefined
    try {
      return parseJson(text, undefined, numberIn) as object
    } catch {
      return undefined // YAML may begin so, too
    }
  }

  return {
    parsed(text: string, name: string): object {
      try {
        return jsonIn(text) ?? parse(text, exact, { intAsBigInt: true, merge: true, customTags }) ?? {}
      } catch (error) {
        const [finding] = (error as Error).message.split('\n')
        throw new Error(`${name} is not ${/^\s*\{/.test(text) ? 'JSON' : 'YAML'}: ${finding}`, { cause: error })
      }
    },
    documentIn: (whole: object): Document =>
      frozen(documentOf((hasDecimals ? roundedButExamples(whole, 'document') : whole) as RawDocument)),
  }
}

const isFloat = (tag: Tags[number]): tag is ScalarTag => typeof tag === 'object' && /:float$/.test(tag.tag)

/** YAML also writes numbers as JSON does not: `.5`, `.inf`. */
const withDigits = (tag: ScalarTag, numberIn: (text: string) => unknown): ScalarTag => ({
  ...tag,
  resolve(text, ...others) {
    const number = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? numberIn(text) : undefined
    return isLosslessNumber(number) ? number : tag.resolve(text, ...others)
  },
})
