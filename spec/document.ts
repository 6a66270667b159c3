// The documents of this service, and the public one with its addresses.
import { readFileSync } from 'node:fs'
import { type Document, loadDocument as load } from 'exact-openapi'
import { documentOf, frozen, modelOf, type RawDocument, withServers } from 'exact-openapi/model'
import { prepare, prepared } from './prepared.ts'

// Called by a build. Glue and exact-openapi use what it stores from here on.
export { storeValidator } from './openapi-schema.ts'

/** Public addresses of the API: absolute URLs that end in `/v1`. */
export interface Servers {
  production?: string | undefined
  staging?: string | undefined
}

const fileOf = (name: string) => new URL(import.meta.resolve(`#spec/${name}`))

const publicDocument = fileOf('openapi.yaml')

const documents = new Map<string, Document>()

/** Loads the document of a file, or the public one, once. @throws when the file cannot be read or is not YAML */
export function loadDocument(file: URL = publicDocument): Document {
  const document = documents.get(file.href) ?? preparedDocument(file) ?? load(file)
  documents.set(file.href, document)
  return document
}

function preparedDocument(file: URL): Document | undefined {
  const raw = prepared(readFileSync(file, 'utf8'))
  return raw === undefined ? undefined : frozen(documentOf(raw as RawDocument))
}

/** Called by a build, for a document of one file. @throws as `loadDocument` does */
export function prepareDocument(file: URL): void {
  prepare(readFileSync(file, 'utf8'), load(file))
}

/** The base URL in the texts of the public document. */
export const exampleServer = 'http://127.0.0.1:3000/v1'

/** The changelog of the public document, in Markdown. */
export function loadChangelog(): string {
  return readFileSync(fileOf('CHANGELOG.md'), 'utf8')
}

/** The document with the public addresses instead of its own relative one. */
export function withPublicServers(document: Document, { production, staging }: Servers): Document {
  if (!production && !staging) return document
  const servers = [
    ...(production ? [{ url: production, description: 'Production' }] : modelOf(document).servers.slice(0, 1)),
    ...(staging ? [{ url: staging, description: 'Staging' }] : []),
  ]
  return frozen(withServers(document, servers))
}

/** The methods and headers that pages may send: all that any operation takes. */
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
