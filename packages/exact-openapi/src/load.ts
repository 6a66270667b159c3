// Documents as files, in YAML or JSON. Every caller gets the same frozen object.
import { existsSync, readFileSync } from 'node:fs'
import { parse as parseJson } from 'lossless-json'
import { parse } from 'yaml'
import { bundled, type Document } from './model/index.ts'
import { prepare, prepared } from './prepared.ts'

const documents = new Map<string, Document>()

/** With the files that it refers to. @throws when one cannot be read or is neither YAML nor JSON */
export function loadDocument(file: URL): Document {
  const document = documents.get(file.href) ?? readDocument(file)
  documents.set(file.href, document)
  return document
}

/** Called by a build, after `usePrepared`, for a document of one file. @throws as `loadDocument` does */
export function prepareDocument(file: URL): void {
  prepare(readFileSync(file, 'utf8'), loadDocument(file))
}

/** As it is now. @param noteFile gets the file and those that it refers to */
export function readDocument(file: URL, noteFile: (file: URL) => void = () => {}): Document {
  noteFile(file)
  const text = readFileSync(file, 'utf8')
  const document = prepared(text) as Document | undefined
  if (document) return frozen(document)
  const read = (other: URL) => {
    noteFile(other)
    return existsSync(other) ? parsed(readFileSync(other, 'utf8'), other.pathname) : undefined
  }
  return frozen(bundled(parsed(text, file.pathname), file, read)) as Document
}

/** @throws when the text is neither YAML nor JSON; the message begins with the name */
export function parseDocument(text: string, name: string): Document {
  return frozen(parsed(text, name)) as Document
}

function parsed(text: string, name: string): object {
  try {
    return jsonIn(text) ?? parse(text, exact, { intAsBigInt: true }) ?? {}
  } catch (error) {
    const [finding] = (error as Error).message.split('\n')
    throw new Error(`${name} is not YAML: ${finding}`, { cause: error })
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

/** With all that it contains. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(frozen)
    Object.freeze(value)
  }
  return value
}
