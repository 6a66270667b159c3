import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { Validator } from '@seriousme/openapi-schema-validator'
import { plainCopy } from 'exact-openapi/model'
import fc from 'fast-check'
import t from 'tap'
import { openapiSchema } from '../../packages/exact-openapi/src/openapi-schema.ts'
import { loadDocument } from '../../spec/document.ts'
import { storedValidator, storeValidator } from '../../spec/openapi-schema.ts'
import { prepareFor } from '../fixtures/prepared.ts'

const source = randomUUID()
const compiled = storedValidator(source)

t.test('the stored code and the compiled schema find the same errors', async (t) => {
  prepareFor(t, source, 'replaced by the next line')
  storeValidator(source)
  const stored = storedValidator(source)
  t.notMatch(String(stored), String(compiled), 'they are different functions')
  const document = plainCopy(loadDocument())
  t.ok(stored(document))
  const errorsOf = (validate: typeof stored, candidate: unknown) => {
    validate(candidate)
    return validate.errors
  }
  let refused = 0
  const change = fc.tuple(fc.array(fc.nat(), { maxLength: 8 }), fc.constantFrom(undefined, null, 1, 'x', [], {}))
  fc.assert(
    fc.property(change, ([steps, value]) => {
      const candidate = changed(document, steps, value)
      const errors = errorsOf(compiled, candidate)
      if (errors) refused++
      t.strictSame(errorsOf(stored, candidate), errors)
    }),
    { seed: 1 },
  )
  t.ok(refused > 30)
})

/** A copy in which another value, or none, is at a place that the steps lead to. */
function changed(document: object, steps: number[], value: unknown): object {
  const copy = structuredClone(document)
  let node = copy as Record<string, unknown>
  for (const [at, step] of steps.entries()) {
    const keys = Object.keys(node)
    const key = keys[step % keys.length] ?? 'key'
    const child = node[key]
    if (at === steps.length - 1 || typeof child !== 'object' || child === null) {
      node[key] = value
      break
    }
    node = child as Record<string, unknown>
  }
  return JSON.parse(JSON.stringify(copy))
}

// See spec/openapi-schema.ts if a new version does not.
t.test('the validators of Glue and of exact-openapi share the schema', async (t) => {
  const name = '@seriousme/openapi-schema-validator'
  const resolveFrom = (file: string) => createRequire(file).resolve(name)
  t.equal(resolveFrom(createRequire(import.meta.url).resolve('fastify-openapi-glue')), resolveFrom(import.meta.url))
  const validator = new Validator() as unknown as { getAjvValidator(version: string): unknown }
  const schema = validator.getAjvValidator('3.0')
  t.equal(validator.getAjvValidator('3.0'), schema)
  t.equal(openapiSchema('3.0'), schema, 'so does exact-openapi')
  t.throws(() => validator.getAjvValidator('none'), { code: 'ENOENT' }, 'others are compiled as before')

  const withSchema = new Validator()
  const { valid } = await withSchema.validate({ openapi: '3.0.3', info: { title: '', version: '' }, paths: {} })
  t.ok(valid)
  t.strictSame((withSchema as unknown as { ajvValidators: object }).ajvValidators, {}, 'it has compiled nothing')
})
