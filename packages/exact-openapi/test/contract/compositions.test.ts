// Schemas that are composed at random: the contract accepts what Ajv does, which reads the same JSON Schema as it is written.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse, stringify } from 'lossless-json'
import t, { type Test } from 'tap'
import { fc, longTest, runsOf } from 'test-kit/properties'
import { describe, int64, json, post, ref, start } from '../fixtures/serve.ts'

type Node = { [keyword: string]: unknown }

const string = { type: 'string' }
const uuid = '123e4567-e89b-12d3-a456-426614174000'
const kind = (name: string, more: object) => {
  return { type: 'object', properties: { k: { type: 'string', enum: [name] }, ...more }, required: ['k'] }
}
const schemas: Record<string, Node> = {
  Count: int64,
  Short: { ...string, maxLength: 2 },
  Hidden: { ...int64, readOnly: true },
  Filled: { type: 'integer', default: 5 },
  Cat: kind('cat', { a: int64 }),
  Dog: kind('dog', { a: { type: 'number' }, b: ref('Pet') }),
  Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'k' } },
  Any: {
    anyOf: [{ ...kind('cat', {}), required: [] }, kind('dog', { a: string })],
    discriminator: { propertyName: 'k' },
  },
}

const leaves: Node[] = [
  ...['Count', 'Short', 'Cat', 'Pet', 'Any'].map(ref),
  ...[int64, { type: 'integer', maximum: 5 }, { type: 'number', multipleOf: 0.5 }, { minimum: 2 }],
  ...[{ format: 'uuid' }, { format: 'ipv4' }, { ...string, maxLength: 3 }, { pattern: '^a' }],
  ...[{ const: 1 }, { const: 'cat' }, { enum: [1, 'a', null] }, { type: ['string', 'null'] }, { type: 'boolean' }],
]
const leaf = fc.constantFrom(...leaves)

/** Says the same of a value in other ways. */
const wrapped = (schema: fc.Arbitrary<Node>): fc.Arbitrary<Node> =>
  fc.oneof(
    schema,
    schema.map((part) => ({ allOf: [part] })),
    schema.map((part) => ({ allOf: [part], description: 'It.' })),
    schema.map((part) => ({ ...part, description: 'It.' })),
    schema.map((part) => ({ anyOf: [part, { type: 'null' }] })),
  )

const names = ['a', 'b', 'r', 'd', 'k']
/** `r` is readOnly where it is described: nothing else may require it. */
const requiring = (properties: object, required: string[]) => ({
  required: required.filter((name) => name !== 'r' || 'r' in properties),
})
const { schema } = fc.letrec<{ schema: Node; object: Node }>((tie) => ({
  object: fc
    .record({
      properties: fc.record(
        {
          a: tie('schema'),
          b: tie('schema'),
          r: wrapped(fc.constantFrom<Node>(ref('Hidden'), { ...string, readOnly: true })),
          d: wrapped(fc.constantFrom<Node>(ref('Filled'), { type: 'integer', default: 5 })),
        },
        { requiredKeys: [] },
      ),
      required: fc.subarray(names),
      more: fc.constantFrom<Node>({}, {}, { additionalProperties: false }, { maxProperties: 2 }),
    })
    .map(({ properties, required, more }) => ({
      type: 'object',
      properties,
      ...requiring(properties, required),
      ...more,
    })),
  schema: fc.oneof(
    { maxDepth: 4 },
    leaf,
    wrapped(tie('schema')),
    tie('object'),
    tie('object'),
    fc.tuple(tie('schema'), leaf).map((parts) => ({ allOf: parts })),
    fc.tuple(tie('object'), fc.subarray(names)).map(([part, required]) => ({
      allOf: [part, requiring(part.properties as object, required)],
    })),
    fc.tuple(tie('schema'), leaf).map(([part, not]) => ({ ...part, allOf: [{ not }] })),
    fc.tuple(leaf, leaf).map(([part, other]) => ({ ...part, ...other })),
    fc.tuple(tie('schema'), tie('schema')).map((parts) => ({ oneOf: parts })),
    fc.tuple(tie('schema'), tie('schema')).map((parts) => ({ anyOf: parts })),
    fc.tuple(tie('object'), tie('object')).map((parts) => ({ allOf: parts, unevaluatedProperties: false })),
    fc.tuple(tie('object'), tie('object')).map((parts) => ({ oneOf: parts, discriminator: { propertyName: 'k' } })),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    fc.tuple(leaf, tie('schema'), tie('schema')).map(([part, yes, no]) => ({ if: part, then: yes, else: no })),
    fc.tuple(tie('schema'), fc.boolean()).map(([items, uniqueItems]) => ({ type: 'array', items, uniqueItems })),
    fc.tuple(leaf, tie('schema')).map(([first, items]) => ({ prefixItems: [first], items })),
  ),
}))

/** Beyond these, an integer without a format is refused. */
const numbers = [0, 1, 2, 5, 6, -1, 0.5, Number.MAX_SAFE_INTEGER]
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<unknown>(null, true, 'a', 'cat', 'dog', 'abcd', uuid, '1.2.3.4', ...numbers),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3 }),
  ),
})).value

/** A value that is more likely to fit. */
function fitting(part: Node, depth = 0): fc.Arbitrary<unknown> {
  const { $ref, type, allOf, oneOf, anyOf, then: yes, properties = {}, items, enum: known } = part
  if (depth > 6) return values
  const fit = (inner: Node) => fitting(inner, depth + 1)
  const near = (inner: Node) => fc.oneof({ weight: 4, arbitrary: fit(inner) }, { weight: 1, arbitrary: values })
  if (typeof $ref === 'string') return fit(schemas[String($ref.split('/').at(-1))] as Node)
  const parts = [allOf, oneOf, anyOf, yes].flatMap((inner): Node[] => [(inner ?? []) as Node | Node[]].flat())
  const [first, ...others] = parts
  if (first && allOf)
    return fc
      .tuple(...[first, ...others].map(fit))
      .map((all) => (isObject(all[0]) ? Object.assign({}, ...all) : all[0]))
  if (first) return fc.oneof(...[first, ...others].map(fit))
  if (known) return fc.constantFrom(...(known as unknown[]))
  if (type === 'object') {
    const fields = Object.entries(properties as Record<string, Node>).map(([name, inner]) => [name, near(inner)])
    return fc.record(Object.fromEntries(fields), { requiredKeys: fields.length > 2 ? [] : undefined } as object)
  }
  if (items) return fc.array(near(items as Node), { maxLength: 3 })
  if (type === 'integer' || type === 'number') return fc.constantFrom(...numbers)
  return values
}
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

const ajv = () => {
  const engine = addFormats.default(
    new Ajv2020({ strict: false, validateSchema: false, ownProperties: true, logger: false }),
  )
  return engine.addFormat('int64', { type: 'number', validate: Number.isInteger })
}

/** For Ajv: a property that is readOnly may have any value in a request, and is not required. */
function merged(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(merged)
  const entries = Object.entries(node).map(([key, value]) => {
    if (key === 'required') return [key, (value as string[]).filter((name) => name !== 'r')]
    if (key !== 'properties' || !Object.hasOwn(value, 'r')) return [key, merged(value)]
    return [key, merged({ ...value, r: true })]
  })
  return Object.fromEntries(entries)
}

/** Without what the contract removes and adds. */
const withoutHidden = (text: string) =>
  stringify(
    parse(text, (_key, value) => (isObject(value) ? { ...(value as object), r: undefined, d: undefined } : value)),
  )

async function serve(t: Test, operation: object) {
  const document = describe({ openapi: '3.1.0', operations: { 'POST /a': operation }, components: { schemas } })
  const echo = async ({ body }: { body: unknown }) => ({
    status: 200,
    type: 'text/plain',
    body: String(stringify(body)),
  })
  return start(t, document, { handlers: { 'POST /a': echo } as never, tolerate: ['wrong-default', 'unknown-format'] })
}

t.test('what composed schemas accept', longTest(), async (t) => {
  let accepted = 0
  let sent = 0
  const drawn = schema.chain((written) =>
    fc.tuple(fc.constant(written), fc.array(fitting(written), { minLength: 10, maxLength: 10 })),
  )
  await fc.assert(
    fc.asyncProperty(drawn, async ([written, bodies]) => {
      const app = await serve(t, json(written))
      const validate = ajv().compile(merged({ ...written, components: { schemas } }) as object)
      for (const value of bodies) {
        const payload = String(stringify(value))
        const { statusCode, body } = await app.inject(post(payload))
        sent++
        if (statusCode === 200) accepted++
        const expected = validate(JSON.parse(payload)) ? 200 : 400
        if (statusCode !== expected)
          throw new Error(`${payload} gets ${statusCode} ${body}: ${JSON.stringify(validate.errors)}`)
        if (statusCode === 200 && withoutHidden(body) !== withoutHidden(payload))
          throw new Error(`${payload} becomes ${body}`)
      }
    }),
    { numRuns: runsOf(60) },
  )
  t.ok(accepted > sent / 5, `${accepted} of ${sent} are accepted`)
})
