// Documents as files, in YAML or JSON. Every caller gets the same frozen object.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Document } from './model/index.ts'
import { prepare, prepared } from './prepared.ts'

const documents = new Map<string, Document>()

/** @throws when the file cannot be read or is not YAML */
export function loadDocument(file: URL): Document {
  const document = documents.get(file.href) ?? read(file)
  documents.set(file.href, document)
  return document
}

/** Called by a build, after `usePrepared`. @throws as `loadDocument` does */
export function prepareDocument(file: URL): void {
  prepare(readFileSync(file, 'utf8'), loadDocument(file))
}

function read(file: URL): Document {
  const text = readFileSync(file, 'utf8')
  const document = prepared(text) as Document | undefined
  return document ? frozen(document) : parseDocument(text, file.pathname)
}

/** @throws when the text is not YAML; the message begins with the name */
export function parseDocument(text: string, name: string): Document {
  try {
    return frozen(parse(text, exact, { intAsBigInt: true }) ?? {})
  } catch (error) {
    const [finding] = (error as Error).message.split('\n')
    throw new Error(`${name} is not YAML: ${finding}`, { cause: error })
  }
}

/** An integer beyond 2^53 keeps its digits. */
const exact = (_key: unknown, value: unknown) =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value

/** With all that it contains. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(frozen)
    Object.freeze(value)
  }
  return value
}
