// Documents as files, in YAML or JSON. They are frozen.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parse as parseJson } from 'lossless-json'
import { parse } from 'yaml'
import { bundled, type Document, documentOf, frozen, type RawDocument } from './model/index.ts'

/** @param file a URL or a path @throws when it, or one that it refers to, cannot be read or is neither YAML nor JSON */
export const loadDocument = (file: URL | string): Document => readDocument(fileUrl(file))

/** `file://…`, in a text or a URL, or a path. */
const fileUrl = (file: URL | string): URL =>
  typeof file !== 'string' ? file : /^file:/.test(file) ? new URL(file) : pathToFileURL(resolve(file))

/** @param noteFile gets the file and those that it refers to */
export function readDocument(file: URL, noteFile: (file: URL) => void = () => {}): Document {
  const read = (url: URL) => {
    noteFile(url)
    return parsed(readFileSync(url, 'utf8'), fileURLToPath(url))
  }
  const whole = bundled(read(file), file, (other) => {
    noteFile(other)
    return existsSync(other) ? read(other) : undefined
  })
  return frozen(documentOf(whole as RawDocument))
}

/** @throws when the text is neither YAML nor JSON; the message begins with the name */
export function parseDocument(text: string, name: string): Document {
  return frozen(documentOf(parsed(text, name) as RawDocument))
}

function parsed(text: string, name: string): object {
  try {
    return jsonIn(text) ?? parse(text, exact, { intAsBigInt: true, merge: true }) ?? {}
  } catch (error) {
    const [finding] = (error as Error).message.split('\n')
    throw new Error(`${name} is not ${/^\s*\{/.test(text) ? 'JSON' : 'YAML'}: ${finding}`, { cause: error })
  }
}

/** Several times as fast as the parser of YAML. */
function jsonIn(text: string): object | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return parseJson(text, undefined, (number) => exactNumber(number)) as object
  } catch {
    return undefined // YAML may begin so, too
  }
}

/** An integer beyond 2^53 keeps its digits. */
const exactNumber = (text: string) =>
  /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text)
const exact = (_key: unknown, value: unknown) => (typeof value === 'bigint' ? exactNumber(String(value)) : value)
