// The types of documents: programs that use them compile, but for what is expected to be an error.
import process from 'node:process'
import t, { type Test } from 'tap'
import { compilerErrors } from 'test-kit/compiler-errors'
import { parseDocument } from '../src/index.ts'
import { typesOf } from '../src/types/generate.ts'

const since32 = `
openapi: 3.2.0
info: { title: T, version: '1' }
x-parts:
  - &done { 204: { description: Done. } }
  - &pet { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
  - &int64 { type: integer, format: int64 }
  - &bytes { type: string, format: binary }
paths:
  /a:
    query:
      operationId: watch
      responses:
        200:
          description: Pets.
          content:
            application/jsonl: { itemSchema: { allOf: [{ $ref: '#/components/schemas/Pet' }, { required: [name] }] } }
            text/event-stream: { itemSchema: { type: object, properties: { event: { const: sold }, data: { type: string } } } }
    get:
      operationId: ask
      responses:
        200: { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Known' } } } }
        4XX: { description: Wrong., content: { application/json: { schema: {} } } }
        default: { description: Else. }
      callbacks: { done: { '{$url}': { put: &hook { operationId: hook, requestBody: *pet, responses: *done } } } }
    put: { operationId: put, responses: *done, security: [{ bearer: [read, write], x-key: [] }, {}] }
    post: { operationId: post, responses: *done, security: [{ bearer: [] }] }
    patch: { operationId: patch, responses: *done, requestBody: { content: { multipart/form-data: {}, text/csv: {} } } }
    options: { operationId: upload, responses: *done, requestBody: { content: { multipart/form-data: { schema: { $ref: '#/components/schemas/Form' } } } } }
    head: { operationId: none, responses: { 200: { $ref: '#/components/responses/Any' } } }
    delete: { operationId: delete, responses: *done, security: [{ hooks: [] }] }
  /box:
    put:
      operationId: putBox
      parameters: &limit [{ in: query, name: limit, schema: { type: integer, default: 5 } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } } }
      responses: *done
    get: { operationId: plain, responses: *done, requestBody: { content: { application/json: {} } } }
    delete: { operationId: clear, parameters: *limit, responses: *done }
  /user:
    put:
      operationId: putUser
      security: [{ bearer: [read, write] }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
      responses: { 200: { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } }
    post:
      operationId: login
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Credentials' } } } }
      responses: *done
webhooks: { sold: { post: *hook } }
components:
  responses: { Any: { description: It., content: { application/json: {} } } }
  schemas:
    Pet: { type: object, properties: { name: { type: string } } }
    Form: { type: object, properties: { ids: { type: array, items: *int64 }, photo: *bytes } }
    Whole: { allOf: [{ $ref: '#/components/schemas/Pet' }] }
    Known: { type: object, required: [id], properties: { id: { type: [integer, 'null'], format: int64 } } }
    Code: { type: string, x-extensible-enum: [a, b] }
    Text: { type: string, format: int64 }
    Values: { type: integer, format: int64, enum: [1, 2] }
    TextOrList: { oneOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/TextOrList' } }] }
    Tuple: { type: array, prefixItems: [{ type: string }, { $ref: '#/components/schemas/Tuple' }] }
    Amount: { type: number, enum: [0.5, 1] }
    Exact: { anyOf: [{ $ref: '#/components/schemas/Amount' }, *int64] }
    File: { type: object, properties: { bytes: *bytes } }
    Numbered: { type: object, properties: { kind: { type: integer, enum: [1] } } }
    Named: { type: object, properties: { kind: { type: string } } }
    Either: { oneOf: [{ $ref: '#/components/schemas/Numbered' }, { $ref: '#/components/schemas/Named' }], discriminator: { propertyName: kind } }
    Box:
      type: object
      required: [id, name]
      properties:
        id: { type: string, readOnly: true }
        name: { type: string }
        size: { $ref: '#/components/schemas/Size' }
        inner: { $ref: '#/components/schemas/Box' }
        list: { type: array, items: { type: object, properties: { at: { type: integer, default: 5 } } } }
        either: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Word' }] }
        only: { anyOf: [{ $ref: '#/components/schemas/Cat' }] }
        chosen: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }], discriminator: { propertyName: kind } }
    Size: { type: integer, default: 5 }
    Word: { type: string }
    Cat: { type: object, properties: { lives: { type: integer, default: 5 } } }
    A: { type: object, required: [kind], properties: { kind: { type: string, enum: [a] }, n: { type: integer, default: 1 } } }
    B: { type: object, required: [kind], properties: { kind: { type: string, enum: [b] } } }
    User:
      type: object
      required: [id, name, password]
      properties:
        id: { type: integer, format: int64, readOnly: true }
        name: { type: string }
        password: { type: string, writeOnly: true }
        limit: { type: integer, default: 5 }
        friends: { type: array, items: { $ref: '#/components/schemas/User' } }
    Credentials: { type: object, properties: { key: { type: string, writeOnly: true } } }
    Account: { $ref: '#/components/schemas/User' }
`

const of30 = `
openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /a:
    post:
      operationId: a#b%23~/c
      security: [{ key: [] }]
      parameters: [{ in: query, name: q, schema: { type: string }, example: &value { $ref: '#/nowhere' } }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Named' } } } }
      responses: &done { 204: { description: Done. } }
    put: { operationId: put, responses: *done, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Odd' } } } } }
components:
  schemas:
    Base: { type: object, nullable: true, properties: { name: { type: string } } }
    Named: { allOf: [{ $ref: '#/components/schemas/Base' }], required: [name] }
    Nest: { type: object, properties: { count: { type: integer, format: int64, nullable: true } } }
    Odd: { type: object, example: *value, x-odd: *value, properties: { a: { default: *value, enum: [*value] } } }
`

const since32Uses = {
  'statuses may be ranges, and numbers of JSON are exact': `
type Reply = Awaited<ReturnType<Handlers['ask']>>
void ({ status: 200, body: { id: 1n } } satisfies Reply)
void ({ status: 200, body: { id: null } } satisfies Reply)
void ({ status: 418, body: 'any' } satisfies Reply)
void ({ status: 500 } satisfies Reply)
// @ts-expect-error a number is not exact
void ({ status: 200, body: { id: 1 } } satisfies Reply)`,
  'what is sent item by item has the types of its items': `
type Watched = Awaited<ReturnType<Handlers['watch']>>
async function* items<Item>(...all: Item[]) {
  yield* all
}
void ({ status: 200, type: 'application/jsonl', body: items({ name: 'a' }) } satisfies Watched)
void ({ status: 200, type: 'text/event-stream', body: items({ event: 'sold' as const, data: { id: 1n } }) } satisfies Watched)
// @ts-expect-error the name is required
void ({ status: 200, type: 'application/jsonl', body: items({}) } satisfies Watched)`,
  'an int64 is an integer, an open set has its known values, and bytes are a whole body or a file': `
export const value = (code: Schemas['Code'], exact: Schemas['Values'], text: Schemas['Text']): ['a' | 'b', bigint, string] => [code, exact, text]
export const bytes = ({ bytes }: Schemas['File']): string | undefined => bytes
void ([{ kind: 1 }, { kind: 'any' }] satisfies Schemas['Either'][])
void (['a', ['b']] satisfies Schemas['TextOrList'])
void ([1n, 0.5] satisfies Schemas['Amount'][])
// @ts-expect-error neither a text nor a list
void (5 satisfies Schemas['TextOrList'])
// @ts-expect-error a text is no number
void ('1' satisfies Schemas['Amount'])`,
  'webhooks and callbacks have types, too': `
type Sent = webhooks['sold']['post'] | webhooks['ask done {$url}']['put']
void ({ name: 'a' } satisfies NonNullable<Sent['requestBody']>['content']['application/json'])`,
  'security names the scopes of a scheme': `
void (['read', 'write'] satisfies operations['putUser']['security']['bearer'][])
// @ts-expect-error there is no such scope
void ('other' satisfies operations['putUser']['security']['bearer'])`,
  'handlers get what guards return, and the parts of an upload': `
type Guards = { bearer: () => (token: string) => Promise<{ user: string }>; 'x-key': () => () => number; hooks: () => [] }
type Guarded = HandlersOf<operations, received.operations, object, Guards, 'patch' | 'upload'>
export const post: Guarded['post'] = async ({ auth }, _services, { id }) => ({ status: 204, user: auth.bearer.user + id })
export const put: Guarded['put'] = async ({ auth }) => ({ status: 204, sum: (auth?.['x-key'] ?? 0) + 1 })
export const patch: Guarded['patch'] = async ({ body }) => {
  for await (const part of body ?? []) void ('name' in part && 'body' in part ? part.body.read() : part)
  return { status: 204 }
}
export const upload: Guarded['upload'] = async ({ body }) => {
  for await (const part of body ?? []) {
    if (part.name === 'ids') void (part.value satisfies bigint)
    else if ('body' in part) part.body.read()
    else void (part.value satisfies Uint8Array)
  }
  return { status: 204 }
}
export const none: Guarded['none'] = async () => ({ status: 200 })
// @ts-expect-error hooks return nothing
export const remove: Guarded['delete'] = async ({ auth }) => ({ status: 204, hooks: auth.hooks })`,
  'a handler gets what has a default, at any depth, but not in alternatives that are not chosen': `
type Input = Parameters<Handlers['putBox']>[0]
type Box = Input['body']
export const limit = ({ query }: Input | Parameters<Handlers['clear']>[0]): number => query.limit
export const filled = ({ size, list = [] }: Box): number[] => [size, ...list.map(({ at }): number => at)]
export const only = ({ only }: Box): number => (only as NonNullable<typeof only>).lives
export const chosen = (one: NonNullable<Box['chosen']>): number => one.kind === 'a' ? one.n : 0
export const inner = (box: NonNullable<Box['inner']>): number => box.size
void ({} satisfies Partial<operations['putBox']['requestBody']['content']['application/json']>)
void ({ name: 'a' } satisfies operations['putBox']['requestBody']['content']['application/json'])
// @ts-expect-error a branch that may not be chosen
export const lives = (either: Exclude<Box['either'], string | undefined>): number => either.lives
// @ts-expect-error what is not sent has no default, either
export const missing = ({ inner }: Box): object => inner
// @ts-expect-error it is readOnly
export const id = ({ id }: Box) => id
// @ts-expect-error there are types only where requests differ
export type Plain = received.operations['plain']`,
  'a request has no readOnly property, and a response no writeOnly one': `
type Sent = operations['putUser']['requestBody']['content']['application/json']
void ({ name: 'a', password: 'b', friends: [{ name: 'c', password: 'd' }] } satisfies Sent)
// @ts-expect-error a password is required
void ({ name: 'a' } satisfies Sent)
// @ts-expect-error it is readOnly
void ({ id: 1n, name: 'a', password: 'b' } satisfies Sent)
void ({ key: 'a' } satisfies operations['login']['requestBody']['content']['application/json'])
type Returned = Awaited<ReturnType<Handlers['putUser']>>
void ({ status: 200, body: { id: 1n, name: 'a', friends: [{ id: 2n, name: 'c' }] } } satisfies Returned)
// @ts-expect-error an id is required
void ({ status: 200, body: { name: 'a' } } satisfies Returned)
// @ts-expect-error it is writeOnly
void ({ status: 200, body: { id: 1n, name: 'a', password: 'b' } } satisfies Returned)
type Received = Parameters<Handlers['putUser']>[0]['body']
export const values = ({ limit, password }: Received): [number, string] => [limit, password]
// @ts-expect-error it is readOnly
export const idOf = ({ id }: Received) => id
export const user: Schemas['Account'] = { id: 1n, name: 'a' }
// @ts-expect-error a schema is that of responses
export const other: Schemas['User'] = { id: 1n, name: 'a', password: 'b' }`,
}

const of30Uses = {
  'a schema may be null, and required properties may be those of another part': `
void ({ name: 'a' } satisfies Schemas['Named'])
void (null satisfies Schemas['Named'])
void ({ count: null } satisfies Schemas['Nest'])
// @ts-expect-error the name is required
void ({} satisfies Schemas['Named'])`,
  'values that look like references, and names that a reference cannot have, are read': `
void ({ key: undefined as never } satisfies operations['a#b%23~/c']['security'])`,
}

/** Compiles all programs at once. */
async function compile(t: Test, document: string, uses: Record<string, string>) {
  const imports = `import type { HandlersOf } from '${process.cwd()}/packages/exact-openapi/src/operation-types.ts'
import type { components, operations, received, webhooks } from './api.d.ts'
type Handlers = HandlersOf<operations, received.operations, object>
type Schemas = components['schemas']
`
  const files = Object.values(uses).map((text, at) => [`use${at}.ts`, imports + text])
  const folder = t.testdir({ 'api.d.ts': await typesOf(parseDocument(document, 'yaml')), ...Object.fromEntries(files) })
  const errors = compilerErrors(...files.map(([name]) => `${folder}/${name}`)).split('\n')
  for (const [at, title] of Object.keys(uses).entries())
    t.notOk(
      errors.find((line) => line.includes(`/use${at}.ts(`)),
      title,
    )
  t.strictSame(errors, [''])
}

t.test('the types of OpenAPI 3.2 say what requests and responses have', async (t) => compile(t, since32, since32Uses))
t.test('the types of OpenAPI 3.0, too', async (t) => compile(t, of30, of30Uses))
