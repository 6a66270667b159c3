// What the pages show of any schema: a server of the same document accepts the request, and sends the response.
import { type Document, exactOpenapi, problemsOf, type Sender } from 'exact-openapi'
import type { Direction } from 'exact-openapi/examples'
import { type Media, modelOf } from 'exact-openapi/model'
import Fastify from 'fastify'
import t from 'tap'
import { fc, longTest, runsOf } from 'test-kit/properties'
import { bodyExample } from '../src/example-request.ts'
import { exampleOf } from '../src/reference/bodies.ts'
import { readReference } from '../src/reference/read.ts'
import { schemasOf } from './fixtures/schemas.ts'

const type = 'application/json'

type Shown = ReturnType<typeof shownIn>

/** The example that comes first. */
const shownIn = (formats: readonly { examples: readonly { text: string }[] }[] = []) => ({
  text: formats[0]?.examples[0]?.text ?? '',
})

/** No value that the schema accepts is found. */
const isImpossible = (media: Media | undefined, place: Direction) =>
  media !== undefined && bodyExample(media, place).violation !== undefined

/** That of the author is shown as it is. */
const isGenerated = (media: Media | undefined, text: string) =>
  media !== undefined && !isImpossible(media, 'response') && exampleOf(bodyExample(media, 'response').value) === text

/** The response is the text on the page. */
const asShown: Sender = {
  accepts: (body) => body !== undefined,
  jsonText: ({ text }: Shown) => text,
  send: (reply, { text }: Shown) => reply.send(text),
}

for (const openapi of ['3.0.3', '3.1.0']) {
  t.test(`in ${openapi}, a shown example is accepted, if one is possible`, longTest(), async (t) => {
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
      const [described] = modelOf(document).operations
      if (isImpossible(described?.body?.media[0], 'request')) counts.impossible++
      else if (statusCode === 400) throw new Error(`${request.text}: ${json().message}`)
      else counts.accepted++
      const isResponse = statusCode !== 400 && isGenerated(described?.responses[0]?.media[0], response.text)
      if (isResponse && statusCode !== 200) throw new Error(`${response.text} is not sent: ${json().message}`)
    }
    await fc.assert(fc.asyncProperty(schema, component, component, check), { numRuns: Math.max(14, runsOf(14)) })
    t.ok(counts.accepted > counts.impossible, JSON.stringify(counts))
  })
}
