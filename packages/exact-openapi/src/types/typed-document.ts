// The documents that types are generated from. A readOnly property is not in requests, and a writeOnly one not in responses,
// so a schema may need two types. Handlers receive more than clients send: the server fills in defaults.
import {
  anything,
  type Document,
  type Header,
  leadsTo,
  methods,
  modelOf,
  type Operation,
  partsOf,
  plainCopy,
  type Response,
  reachable,
  type SchemaTest,
} from '../model/index.ts'
import { hasDefault, type Node, refTo, schemasIn, type View, writer } from './schema-writer.ts'

/** Requests as clients send them, and responses. */
export function sentDocument(document: Document) {
  const { operations, webhooks, responses, schemas } = modelOf(document)
  const inRequests = reachable(
    operations.flatMap(({ body }) => schemasIn(body?.media)),
    partsOf,
  )
  const inResponses = reachable(
    operations.flatMap((operation) => operation.responses.flatMap(({ media }) => schemasIn(media))),
    partsOf,
  )
  const isDirected = leadsTo(({ readOnly, writeOnly }) => readOnly === true || writeOnly === true)
  const isTwofold: SchemaTest = (schema) => inRequests.has(schema) && inResponses.has(schema) && isDirected(schema)
  const sent: View = { place: 'request', suffixOf: (schema) => (isTwofold(schema) ? ' in requests' : '') }
  const returned: View = { place: 'response', suffixOf: () => '' }

  const { define, part, media, request, definitions } = writer()
  for (const [name, schema] of schemas)
    define(name, schema, inRequests.has(schema) && !inResponses.has(schema) ? sent : returned)
  const header = ({ name, required, schema = anything }: Header) => [name, { required, schema: part(schema, returned) }]
  const response = ({ description, headers, media: contents }: Response): Node => ({
    description,
    headers: Object.fromEntries(headers.map(header)),
    content: media(contents, returned),
  })
  const responseOrRef = (one: Response) => (one.name === undefined ? response(one) : refTo('responses', one.name))
  const written = (operation: Operation): Node => ({
    ...request(operation, sent),
    summary: operation.summary,
    description: operation.description,
    deprecated: operation.deprecated,
    responses: Object.fromEntries(operation.responses.map((one) => [one.status, responseOrRef(one)])),
  })
  const paths = pathsOf(operations, written)
  const callbacks = operations.flatMap(({ id, callbacks: all }) =>
    all.flatMap(({ name, operations: calls }) =>
      calls.map((call) => ({ ...call, path: `${id} ${name} ${call.path}` })),
    ),
  )
  // Without an operationId: they need no handler.
  const calls = pathsOf([...webhooks, ...callbacks], (operation) => ({ ...written(operation), operationId: undefined }))
  const shared = Object.fromEntries([...responses].map(([name, value]) => [name, response(value)]))
  return completed({ paths, webhooks: calls }, { schemas: definitions(), responses: shared })
}

/** The requests that handlers receive, of the operations where they differ from those that clients send. */
export function receivedDocument(document: Document) {
  const isFilled = leadsTo(({ properties = {} }) => Object.values(properties).some(hasDefault))
  const isDifferent = ({ parameters, body }: Operation) =>
    parameters.some(({ required, schema }) => !required && hasDefault(schema)) || schemasIn(body?.media).some(isFilled)
  const received: View = { place: 'request', suffixOf: () => '', isFilled: true }
  const { request, definitions } = writer(isFilled)
  const paths = pathsOf(modelOf(document).operations.filter(isDifferent), (operation) => request(operation, received))
  return completed({ paths }, { schemas: definitions() })
}

/** The library knows the methods of 3.0: other operations get a path of their own, `QUERY /pets`. */
function pathsOf(operations: readonly Operation[], written: (operation: Operation) => Node) {
  const paths: Record<string, Node> = {}
  for (const operation of operations) {
    const method = operation.method.toLowerCase()
    const isKnown = (methods as readonly string[]).includes(method)
    const path = isKnown ? operation.path : `${operation.method} ${operation.path}`
    paths[path] = { ...paths[path], [isKnown ? method : 'post']: written(operation) }
  }
  return paths
}

const completed = (sent: { paths: Node; webhooks?: Node }, components: Node) =>
  plainCopy({ openapi: '3.1.0', info: { title: '', version: '' }, ...sent, components } as unknown as Document)
