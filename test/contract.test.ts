// Walks the document: every answer that it declares is provoked and looked at, and every example in it is true.
import t, { type Test } from 'tap'
import { type Document, loadDocument } from '../spec/document.ts'
import { type Declared, declaredBy, examplesWithin, inlined, mistakesIn } from './contract-walk/declared.ts'
import { type Asked, requests } from './contract-walk/requests.ts'
import { authorization, build, changed } from './fixtures/app.ts'

interface Answer {
  operationId: string
  /** The status, or `default`, under which the document is to declare it. */
  declared: string
  status: number
  headers: Headers
  body: string
}

const document = loadDocument()
const operations = declaredBy(document)
const answers = [...(await answersOf(t)), ...(await answersWhileClosing(t))]

t.test('every answer that the document declares is asked for, and no other', async (t) => {
  t.strictSame(notAskedFor(document), [])
  t.strictSame(
    pairsOf(requests).filter((pair) => !declaredPairs(document).includes(pair)),
    [],
  )
})

t.test('an operation or a status that is added to the document is missed', async (t) => {
  const added = changed(({ paths }) => {
    const responses = { 200: { description: 'The orders.' }, 401: { $ref: '#/components/responses/Unauthorized' } }
    paths['/store/summary'] = { get: { operationId: 'getSummary', responses } }
    Object.assign(paths['/pets/{petId}']?.get?.responses ?? {}, { 410: { description: 'Gone.' } })
  })
  t.strictSame(notAskedFor(added), ['getPetById 410', 'getSummary 200', 'getSummary 401'])
})

for (const { operationId, declared, status, headers, body } of answers) {
  t.test(`${operationId}: ${status} is as the document declares it under ${declared}`, async (t) => {
    const { responses } = operations.find((one) => one.operationId === operationId) as Declared
    t.equal(declared, status in responses ? String(status) : 'default')
    const { headers: declaredHeaders = {}, content } = responses[declared] ?? {}
    for (const [name, { schema }] of Object.entries(declaredHeaders)) {
      t.equal(mistakesIn(headers.get(name), schema), undefined, name)
    }
    const json = content?.['application/json']
    t.equal(headers.get('content-type'), json ? 'application/json; charset=utf-8' : null)
    if (json) t.equal(mistakesIn(JSON.parse(body), json.schema), undefined)
    else t.equal(body, '')
  })
}

t.test('every example is valid', async (t) => {
  const examples = examplesWithin(inlined(document))
  t.ok(examples.length > 50)
  for (const { example, schema } of examples) t.equal(mistakesIn(example, schema), undefined, JSON.stringify(example))
})

for (const { operationId, method, path, parameters, responses } of operations) {
  t.test(`${operationId}: the example request gets what the examples show`, async (t) => {
    const app = await build(t)
    const ids = Object.fromEntries(parameters.map(({ name, example }) => [name, example]))
    const url = `/v1${path.replace(/\{(\w+)\}/g, (_, name) => String(ids[name]))}`
    const { statusCode, payload } = await app.inject({ method: method as 'GET', url, headers: { authorization } })
    const [[success, response] = []] = Object.entries(responses)
    t.equal(String(statusCode), success)
    for (const example of examplesOf(response)) {
      const body = JSON.parse(payload)
      const isShown = ({ id }: { id: number }) => (example as { id: number }[]).some((one) => one.id === id)
      t.strictSame(Array.isArray(body) ? body.filter(isShown) : body, example)
    }
  })
}

t.test('every example of an error is what the API answers', async (t) => {
  const refusals = operations.flatMap(({ responses }) => Object.values(responses).slice(1).flatMap(examplesOf))
  const bodies = answers.map(({ body }) => body)
  t.ok(refusals.length > 10)
  t.strictSame(
    refusals.filter((example) => !bodies.includes(JSON.stringify(example))),
    [],
  )
})

function examplesOf(response?: Declared['responses'][string]): unknown[] {
  const bodies = Object.values(response?.content ?? {})
  return bodies.flatMap(({ examples = {} }) => Object.values(examples)).map(({ value }) => value)
}

function pairsOf(table: Record<string, Record<string, unknown>>): string[] {
  return Object.entries(table).flatMap(([id, byStatus]) => Object.keys(byStatus).map((status) => `${id} ${status}`))
}

function declaredPairs(document: Document): string[] {
  return pairsOf(Object.fromEntries(declaredBy(document).map(({ operationId, responses }) => [operationId, responses])))
}

function notAskedFor(document: Document): string[] {
  return declaredPairs(document).filter((pair) => !pairsOf(requests).includes(pair))
}

async function answersOf(t: Test): Promise<Answer[]> {
  const origin = await (await build(t)).listen({ port: 0 })
  const answers: Answer[] = []
  for (const [operationId, byStatus] of Object.entries(requests)) {
    for (const [declared, all] of Object.entries(byStatus)) {
      for (const asked of all) answers.push({ operationId, declared, ...(await send(origin, asked)) })
    }
  }
  return answers
}

/** Of a server that shuts down; it refuses whatever comes. */
async function answersWhileClosing(t: Test): Promise<Answer[]> {
  const app = await build(t)
  const answers: Answer[] = []
  app.addHook('preClose', async () => {
    for (const [operationId, byStatus] of Object.entries(requests)) {
      const [[asked]] = Object.values(byStatus) as [[Asked]]
      answers.push({ operationId, declared: 'default', ...(await send(origin, asked)) })
    }
  })
  const origin = await app.listen({ port: 0 })
  await app.close()
  return answers
}

async function send(origin: string, { url, ...request }: Asked) {
  const response = await fetch(`${origin}${url}`, request)
  return { status: response.status, headers: response.headers, body: await response.text() }
}
