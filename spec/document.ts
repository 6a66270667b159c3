// The documents of this service, with its addresses. Every caller gets the same frozen object.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Document, modelOf, withServers } from './model/index.ts'
import { prepare, prepared } from './prepared.ts'

/** The base URL in the document's examples. */
export const exampleServer = 'http://127.0.0.1:3000/v1'

/** Public addresses of the API: absolute URLs that end in `/v1`. */
export interface Servers {
  production?: string | undefined
  staging?: string | undefined
}

const fileOf = (name: string) => new URL(import.meta.resolve(`#spec/${name}`))

const documents = new Map<string, Document>()

/** @throws when the file cannot be read or is not YAML */
export function loadDocument(file: URL = fileOf('openapi.yaml')): Document {
  const document = documents.get(file.href) ?? read(file)
  documents.set(file.href, document)
  return document
}

/** What has changed between the versions of the public document, in Markdown. */
export function loadChangelog(): string {
  return readFileSync(fileOf('CHANGELOG.md'), 'utf8')
}

/** Called by the build. @throws as `loadDocument` does */
export function prepareDocument(file: URL = fileOf('openapi.yaml')): void {
  prepare(readFileSync(file, 'utf8'), loadDocument(file))
}

function read(file: URL): Document {
  const text = readFileSync(file, 'utf8')
  const document = prepared(text) as Document | undefined
  return document ? freeze(document) : parseDocument(text, file.pathname)
}

/** @throws when the text is not YAML; the message begins with the name */
export function parseDocument(text: string, name: string): Document {
  try {
    return freeze(parse(text, exact, { intAsBigInt: true }) ?? {})
  } catch (error) {
    const [finding] = (error as Error).message.split('\n')
    throw new Error(`${name} is not YAML: ${finding}`, { cause: error })
  }
}

/** The document with the public addresses instead of its own relative one. */
export function withPublicServers(document: Document, { production, staging }: Servers): Document {
  if (!production && !staging) return document
  const [own] = modelOf(document).servers
  const servers = [
    production ? { url: production, description: 'Production' } : own,
    staging ? { url: staging, description: 'Staging' } : undefined,
  ]
  return freeze(
    withServers(
      document,
      servers.filter((server) => server !== undefined),
    ),
  )
}

/** An integer beyond 2^53 keeps its digits. */
const exact = (_key: unknown, value: unknown) =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(freeze)
    Object.freeze(value)
  }
  return value
}

/** What pages may send: whatever any operation takes. */
export function acceptedBy(document: Document) {
  const { operations } = modelOf(document)
  const isSecured = operations.some(({ security }) => security?.length)
  const hasBody = operations.some(({ body }) => body)
  const parameters = operations.flatMap((operation) => operation.parameters)
  return {
    methods: unique(operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
    allowedHeaders: unique([
      ...(isSecured ? ['authorization'] : []),
      'if-none-match',
      'x-request-id',
      ...(hasBody ? ['content-type'] : []),
      ...parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase()),
    ]),
  }
}

const unique = (names: readonly string[]) => [...new Set(names)]
