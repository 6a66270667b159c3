// Numbers at the same place as an int64.
import t from 'tap'
import { isExact, type Model, modelOf } from '../../src/model/index.ts'
import { accepts, big, int64, ref } from '../fixtures/serve.ts'

const integer = { type: 'integer' }
const number = { type: 'number' }
const int32 = { type: 'integer', format: 'int32' }
const object = (id: object) => ({ type: 'object', properties: { id }, required: ['id'] })
const kind = (name: string, id: object) => ({ properties: { kind: { type: 'string', enum: [name] }, id } })

/** By schema, bodies that are valid, and those that are not. */
const schemas: [schema: object, valid: string[], wrong: string[]][] = [
  [{ anyOf: [integer, int64] }, [big, '5'], ['0.5', '9223372036854775808']],
  [{ allOf: [int64, { type: 'integer', maximum: 9 }] }, ['9'], ['10']],
  [{ allOf: [int64, { ...int32, minimum: -5, exclusiveMinimum: true }] }, ['2147483647', '-4'], ['2147483648', '-5']],
  [{ allOf: [int64, { type: 'integer', format: 'uint8' }] }, ['0', '255'], ['-1', '256']],
  [{ oneOf: [object(int64), { type: 'array', items: integer }] }, [`{"id":${big}}`, '[1]'], [`[${big}]`]],
  [
    { anyOf: [object(int64), { type: 'object', additionalProperties: int32 }] },
    [`{"id":${big}}`, '{"a":1}'],
    ['{"a":2147483648}'],
  ],
  [{ anyOf: [int64, number] }, [big, '5', '0.5', '-1e+300', '18446744073709551615'], ['"5"', '18446744073709551617']],
  [
    {
      ...object(number),
      oneOf: [kind('a', int64), kind('b', { type: 'string' })],
      discriminator: { propertyName: 'kind' },
    },
    [`{"kind":"a","id":${big}}`],
    ['{"kind":"a","id":0.5}', '{"kind":"b","id":5}'],
  ],
  [{ anyOf: [{ ...number, nullable: true }, int64, integer] }, [big, 'null', '0.5'], ['true']],
  [{ allOf: [int64, { ...number, maximum: 9.5, multipleOf: 0.5 }] }, ['9'], ['10', '8.5']],
  [{ allOf: [int64, { type: 'number', format: 'int32' }] }, ['2147483647'], ['2147483648']],
  [{ oneOf: [object(int64), object({ ...number, maximum: 0 })] }, [`{"id":${big}}`, '{"id":-0.5}'], ['{"id":-1}']],
  [{ ...object(number), not: object({ ...int64, maximum: 5 }) }, [`{"id":${big}}`, '{"id":0.5}'], ['{"id":5}']],
  [{ allOf: [{ type: 'object', additionalProperties: { anyOf: [int64, integer] } }] }, [`{"a":${big}}`], ['{"a":"b"}']],
]

t.test('an integer beside an int64 is an int64 with its own bounds, and so are the integers of a number', async (t) => {
  for (const row of schemas) await accepts(t, row)
})

const exactOf = (schemas: Model['schemas']) => [...schemas].flatMap(([name, schema]) => (isExact(schema) ? [name] : []))

t.test('it is one wherever its schema stands, and so are the integers beside it there', async (t) => {
  const components = {
    schemas: {
      Third: integer,
      Second: integer,
      First: { anyOf: [ref('Second'), int64] },
      Other: { anyOf: [ref('Third'), ref('Second')] },
      Apart: integer,
      Number: { allOf: [{ type: 'number' }, ref('Apart')] },
      Mixed: { anyOf: [ref('Fraction'), int64] },
      Fraction: { type: 'number' },
    },
  }
  const { schemas } = modelOf({ openapi: '3.0.3', paths: {}, components } as never)
  t.strictSame(exactOf(schemas), ['Third', 'Second'])
  const mixed = [...schemas].flatMap(([name, { hasBigints }]) => (hasBigints ? [name] : []))
  t.strictSame(mixed, ['Fraction'])
})

t.test('the values of an int64 without a type are bigints', async (t) => {
  const values = (...all: unknown[]) => ({ format: 'int64', enum: all })
  const components = { schemas: { Exact: values(1, 9007199254740993n), Other: values(1, 'a'), None: values() } }
  const { schemas } = modelOf({ openapi: '3.0.3', paths: {}, components } as never)
  t.strictSame(exactOf(schemas), ['Exact'])
})
