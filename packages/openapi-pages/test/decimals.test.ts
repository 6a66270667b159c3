// Decimals with more digits than a double: in examples they are shown and sent as they are written.
import { parseDocument } from 'exact-openapi'
import { stringify } from 'lossless-json'
import t from 'tap'
import { languages, moreLanguages } from '../browser/languages.js'
import { samplesIn } from '../src/code-samples/index.ts'
import { site } from './fixtures/site.ts'

const price = '0.12345678901234567890'
const rate = '-1.00000000000000000001e-7'

const yaml = `
openapi: 3.1.0
info: { title: Prices, version: '1' }
x-note: { any: 1 }
servers: [{ url: 'https://prices.example' }]
security: []
paths:
  /prices:
    post:
      operationId: setPrice
      parameters:
        - { in: query, name: rate, required: true, example: ${rate}, schema: { type: number, minimum: ${rate} } }
        - { in: query, name: half, required: true, example: .5, schema: { type: number } }
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/Price' } }
          application/xml: { schema: { $ref: '#/components/schemas/Price' } }
          multipart/form-data: { schema: { $ref: '#/components/schemas/Price' } }
      responses:
        '200':
          description: The price.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Price' }
              examples: { usual: { value: { price: ${price}, all: [${price}] } } }
components:
  schemas:
    Any: true
    Price:
      type: object
      properties:
        price: { type: number, example: ${price}, maximum: ${price} }
        all: { type: array, items: { type: number, enum: [${price}], default: ${price} }, example: [${price}] }
`

const inYaml = parseDocument(yaml, 'prices')

t.test('every sample sends all digits, written in YAML as in JSON', async (t) => {
  const inJson = parseDocument(String(stringify(inYaml)), 'prices')
  for (const document of [inYaml, inJson]) {
    for (const language of [...languages, ...moreLanguages]) {
      const sample = String(samplesIn(document, language).get('setPrice')).replaceAll('^', '')
      for (const text of [`rate=${rate}`, 'half=0.5', `price`, price])
        t.ok(sample.includes(text), `${language.label}: ${text}\n${sample}`)
    }
  }
})

t.test('pages, Markdown, the form and the document have all digits, and limits are doubles', async (t) => {
  const app = await site(t, inYaml)
  const get = async (url: string) => (await app.inject(url)).body
  const pages = { '/docs': 4, '/docs.md': 4, '/docs/operations/setPrice.js': 4, '/openapi.json': 4, '/openapi.yaml': 4 }
  for (const [url, least] of Object.entries(pages)) {
    const text = await get(url)
    const count = text.split(price).length - 1
    t.ok(count >= least, `${url}: ${count}`)
    t.match(text, rate, url)
  }
  t.match(JSON.parse(await get('/openapi.json')), {
    components: { schemas: { Price: { properties: { price: { maximum: Number(price) } } } } },
  })
  t.match(await get('/docs/swagger/json'), price)
})
