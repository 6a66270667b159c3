// What the pages show of any schema: a server of the same document accepts the request, and sends the response.
import { type Document, exactOpenapi, problemsOf, type Sender } from 'exact-openapi'
import Fastify from 'fastify'
import t from 'tap'
import { fc, longTest, runsOf } from 'test-kit/properties'
import { readReference } from '../src/reference/read.ts'
import { schemasOf } from './fixtures/schemas.ts'

const type = 'application/json'
const impossible = 'No example was found'

type Shown = ReturnType<typeof shownIn>

/** The example that comes first, with what is said of it. */
const shownIn = (formats: readonly { examples: readonly { text: string; description: string }[] }[] = []) => {
  const { text = '', description = '' } = formats[0]?.examples[0] ?? {}
  return { text, description }
}

/** The response is the text on the page. */
const asShown: Sender = {
  accepts: (body) => body !== undefined,
  jsonText: ({ text }: Shown) => text,
  send: (reply, { text }: Shown) => reply.send(text),
}

for (const openapi of ['3.0.3', '3.1.0']) {
  t.test(`in ${openapi}, a shown example is accepted, or the page says what is wrong with it`, longTest, async (t) => {
    const counts = { accepted: 0, impossible: 0 }
    const { schema, component } = schemasOf(openapi)
    const check = async (body: object, A: object, B: object): Promise<void> => {
      const content = { [type]: { schema: body } }
      const responses = { 200: { description: 'The same.', content } }
      const post = { operationId: 'send', security: [], requestBody: { required: true, content }, responses }
      const info = { title: 'T', version: '1' }
      const paths = { '/a': { post } }
      const document = { openapi, info, paths, components: { schemas: { A, B } } } as unknown as Document
      const [operation] = readReference(document).groups.flatMap(({ operations }) => operations)
      const request = shownIn(operation?.body?.formats)
      const response = shownIn(operation?.responses[0]?.formats)
      fc.pre(problemsOf(document).problems.length === 0)
      const app = Fastify()
      const handlers = { send: async () => ({ status: 200, body: response }) }
      await app.register(exactOpenapi, { document, handlers, senders: [asShown], checkResponses: 'throw' })
      const { statusCode, json } = await app.inject({
        method: 'POST',
        url: '/a',
        headers: { 'content-type': type },
        payload: request.text,
      })
      await app.close()
      if (request.description.startsWith(impossible)) counts.impossible++
      else if (statusCode === 400) throw new Error(`${request.text}: ${json().message}`)
      else counts.accepted++
      const isResponse = statusCode !== 400 && !response.description.startsWith(impossible)
      if (isResponse && statusCode !== 200) throw new Error(`${response.text} is not sent: ${json().message}`)
    }
    await fc.assert(fc.asyncProperty(schema, component, component, check), { numRuns: runsOf(14) })
    t.ok(counts.accepted > counts.impossible, JSON.stringify(counts))
  })
}
