// Schemas, the bodies that they accept, as they are received, and those that they reject.
import t from 'tap'
import { accepts, big, int64, type Row, ref, serveBody } from '../fixtures/serve.ts'

const integer = { type: 'integer' }
const int32 = { type: 'integer', format: 'int32' }
const number = { type: 'number' }
const string = { type: 'string' }
const id = { ...string, readOnly: true }
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more })
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const requiring = (...required: string[]) => ({ required })
const kind = (name: string, more: object = {}) =>
  object({ kind: { ...string, enum: [name] }, ...more }, requiring('kind'))
const withId = (id: object) => object({ id }, requiring('id'))
const oneOf = (...branches: object[]) => ({ oneOf: branches, discriminator: { propertyName: 'kind' } })
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const consequence = (then: object) => ({ then })
const filled = object({ at: { ...int64, default: 5 } })
const count = object({ n: { ...integer, default: 5 } })
const condition = { properties: { kind: { const: 'a' } } }
const manyBranches = Array.from({ length: 36 }, (_, at) => object({ [`p${at}`]: int64, next: ref('Tree') }))

const base = object({ name: string }, requiring('id', 'name'))
const cat = object({ cat: string, lives: { ...int64, default: 9 } }, requiring('cat'))
const onlyDog = object({ dog: string }, { ...requiring('dog'), additionalProperties: false })
const schemas = {
  Id: id,
  Count: { ...integer, default: 5 },
  Short: { ...string, maxLength: 2 },
  Base: base,
  Cat: kind('cat', { id: int64 }),
  Dog: kind('dog', { id: integer }),
  Cow: kind('cow'),
  Pet: oneOf(ref('Cat'), ref('Dog')),
  Other: oneOf(ref('Dog'), ref('Cat')),
  Node: object({ id: int64, next: { oneOf: [ref('Node'), { type: 'boolean' }] } }),
  Tree: { anyOf: manyBranches },
}
/** Of 3.1, whose references may have keywords beside them, and whose schemas may have names. */
const newer = {
  ...schemas,
  Alias: { ...ref('Short'), minLength: 2 },
  Box: { $defs: { inner: int64 }, $comment: 'none' },
  Number: { $anchor: 'number', ...number },
}

const of30: Record<string, Row[]> = {
  'what several parts say counts, and no part sees what another one makes of the value': [
    [{ allOf: [int64, { enum: [1, 2] }] }, ['1'], ['3']],
    [{ allOf: [int64, { not: { enum: [0] } }] }, [big], ['0']],
    [{ allOf: [object({ a: int64 }), { enum: [{ a: 1 }] }] }, ['{"a":1}'], ['{"a":2}']],
    [{ allOf: [integer, { format: 'int64' }] }, [big], ['"a"', '0.5']],
    [{ ...string, oneOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }, ['"::1"'], ['"a"']],
    [{ minimum: 2, format: 'ipv4' }, ['"1.2.3.4"', '2'], ['"a"', '1']],
    [object({ id: { allOf: [ref('Id')] } }, requiring('id')), { '{"id":"a"}': '{}', '{}': '{}' }, ['[]']],
    [object({ n: { allOf: [ref('Count')] } }), { '{}': '{"n":5}', '{"n":1}': '{"n":1}' }, ['{"n":"a"}']],
    [{ allOf: [object({ n: ref('Count') }), { maxProperties: 0 }] }, { '{}': '{"n":5}' }, ['{"n":1}']],
    [{ anyOf: [object({ n: int64 }), integer] }, ['5', '{"n":5}'], ['"a"']],
  ],
  'an integer beside an int64 is an int64 with its own bounds, and so are the integers of a number': [
    [{ anyOf: [integer, int64] }, [big, '5'], ['0.5', '9223372036854775808']],
    [{ allOf: [int64, { ...integer, maximum: 9 }] }, ['9'], ['10']],
    [{ allOf: [int64, { ...int32, minimum: -5, exclusiveMinimum: true }] }, ['2147483647', '-4'], ['2147483648', '-5']],
    [{ allOf: [int64, { ...integer, format: 'uint8' }] }, ['0', '255'], ['-1', '256']],
    [{ oneOf: [withId(int64), list(integer)] }, [`{"id":${big}}`, '[1]'], [`[${big}]`]],
    [{ anyOf: [withId(int64), { additionalProperties: int32 }] }, [`{"id":${big}}`, '{"a":1}'], ['{"a":2147483648}']],
    [{ anyOf: [int64, number] }, [big, '5', '0.5', '-1e+300', '18446744073709551615'], ['"5"', '18446744073709551617']],
    [
      { ...withId(number), ...oneOf(kind('a', { id: int64 }), kind('b', { id: string })) },
      [`{"kind":"a","id":${big}}`],
      ['{"kind":"a","id":0.5}', '{"kind":"b","id":5}'],
    ],
    [{ anyOf: [{ ...number, nullable: true }, int64, integer] }, [big, 'null', '0.5'], ['true']],
    [{ allOf: [int64, { ...number, maximum: 9.5, multipleOf: 0.5 }] }, ['9'], ['10', '8.5']],
    [{ allOf: [int64, { ...number, format: 'int32' }] }, ['2147483647'], ['2147483648']],
    [{ allOf: [int64, { ...int32, maximum: 1e10, exclusiveMaximum: true }] }, ['2147483647'], ['2147483648']],
    [{ oneOf: [withId(int64), withId({ ...number, maximum: 0 })] }, [`{"id":${big}}`, '{"id":-0.5}'], ['{"id":-1}']],
    [{ ...withId(number), not: withId({ ...int64, maximum: 5 }) }, [`{"id":${big}}`, '{"id":0.5}'], ['{"id":5}']],
    [{ allOf: [{ additionalProperties: { anyOf: [int64, integer] } }] }, [`{"a":${big}}`], ['{"a":"b"}']],
  ],
  'a union with a discriminator may stand anywhere, and its branches are exact': [
    [object({ pet: { allOf: [ref('Pet')] } }), ['{"pet":{"kind":"cat"}}'], ['{"pet":{}}', '{"pet":5}']],
    [{ anyOf: [ref('Pet'), ref('Cow')] }, ['{"kind":"cow","id":5}'], ['{"kind":"hen"}']],
    [{ anyOf: [ref('Pet'), ref('Other')] }, [`{"kind":"cat","id":${big}}`], ['{"kind":"cow"}']],
    [ref('Pet'), [`{"kind":"cat","id":${big}}`], { '{"kind":"cow"}': /^400 body kind must be one of cat, dog\.$/ }],
  ],
  'branches and properties that lead back to a schema are followed': [
    [{ anyOf: [...manyBranches, ref('Tree')] }, [`{"p1":${big},"next":{"p2":1}}`], []],
    [ref('Node'), [`{"id":${big},"next":{"id":2,"next":true}}`], ['{"next":5}']],
  ],
  'a property is hidden in one part, and required in another': [
    { allOf: [ref('Base'), { properties: { id } }] },
    { allOf: [ref('Base')], properties: { id } },
    { properties: { id }, oneOf: [ref('Base'), { type: 'object', required: ['other'] }] },
    { allOf: [{ allOf: [ref('Base')] }, { allOf: [{ properties: { id } }] }] },
    { ...base, oneOf: [{ properties: { id } }, { required: ['other'] }] },
    { allOf: [ref('Base')], anyOf: [{ properties: { id } }] },
  ].map((schema): Row => [schema, ['{"name":"a"}'], ['{}']]),
  'a readOnly property of a request is ignored, even if it is required or malformed': [
    [
      object({ id: { ...int64, readOnly: true }, name: string }, { ...requiring('id'), additionalProperties: false }),
      { '{"name":"a"}': '{"name":"a"}', '{"id":"x","name":"a"}': '{"name":"a"}' },
      ['{"other":1}'],
    ],
    [object({ id: { ...integer, readOnly: true, default: 5 } }), { '{}': '{}', '{"id":1}': '{}' }, []],
    [ref('Base'), [], { '{"name":"a"}': /^400 body id is required\.$/ }],
  ],
  'a branch that fails removes nothing that the next one takes; the one that applies does': [
    [
      {
        oneOf: [
          object({ id, n: { ...integer, default: 5 } }, requiring('first')),
          object({ id: string }, requiring('id')),
        ],
      },
      { '{"id":"a"}': '{"id":"a"}', '{"id":5,"first":1}': '{"first":1}' },
      [],
    ],
  ],
  'a default is added to an object at any depth, but not by a branch that turns out to be wrong': [
    [
      object({
        pet: { oneOf: [cat, onlyDog] },
        ids: list(int64, { default: [1] }),
        none: { ...string, nullable: true },
      }),
      {
        '{"pet":{"dog":"Rex"}}': '{"pet":{"dog":"Rex"},"ids":[1]}',
        '{"ids":[],"none":null}': '{"ids":[],"none":null}',
      },
      [],
    ],
    [object({ one: filled }), { '{"one":{}}': '{"one":{"at":5}}' }, []],
    [list(filled), { '[{},{}]': '[{"at":5},{"at":5}]' }, []],
    [{ type: 'object', additionalProperties: filled }, { '{"named":{}}': '{"named":{"at":5}}' }, []],
    [{ allOf: [filled, object({ inner: filled })] }, { '{"inner":{}}': '{"inner":{"at":5},"at":5}' }, []],
    [object({ whole: { ...filled, default: {} } }), { '{}': '{"whole":{"at":5}}' }, []],
  ],
  'properties are own ones of any name, and those that the schema excludes are named': [
    [object({ $ref: string, $id: string, $anchor: string }), ['{"$ref":"a","$id":"b","$anchor":"c"}'], ['{"$ref":1}']],
    [object({ toString: { ...integer, default: 5 } }), { '{}': '{"toString":5}' }, []],
    [object({}, requiring('constructor')), [], { '{}': /^400 body constructor is required\.$/ }],
    [
      object({ a: string }, { additionalProperties: false }),
      [],
      {
        '{"b":{"a":"x"}}': /^400 body must not have the property "b"\.$/,
        '{"__proto__":{"a":"x"}}': /^400 body must not have the property "__proto__"\.$/,
      },
    ],
  ],
  'items of a list are compared with all of their digits': [
    [list({ type: 'object' }, { uniqueItems: true }), ['[{"a":1},{"a":2}]'], ['[{"a":1},{"a":1.0}]']],
    [list(int64, { uniqueItems: true }), [`[${big},9007199254740992]`], [`[${big},${big}]`]],
  ],
  'a number may have the format of an integer': [
    [
      object({ n: { ...number, format: 'int8' } }),
      ['{"n":-128}'],
      {
        '{"n":128}': /^400 body n must be an 8-bit integer in plain decimal digits\.$/,
        '{"n":1.5}': /^400 body n must be an 8-bit integer/,
      },
    ],
  ],
  'keywords beside a reference are hidden, and null must be one of the values of an enum': [
    [{ ...ref('Short'), pattern: '^a' }, ['"bb"'], []],
    [{ ...string, nullable: true, enum: ['a'] }, [], ['null']],
    [{ ...integer, nullable: true, enum: [1] }, [], ['null']],
    [{ ...integer, nullable: true, enum: [1, null] }, ['null'], []],
    [{ nullable: true, allOf: [string] }, [], ['null']],
  ],
}

const since31: Record<string, Row[]> = {
  'a type may be several': [
    [{ type: ['integer', 'string'], format: 'int64', minimum: 2, minLength: 2 }, [big, '"ab"', '2'], ['1', '"a"']],
    [{ type: ['array', 'number'], items: int64 }, [`[${big}]`, '0.5'], ['["a"]', '{}']],
    [{ type: ['string', 'integer'], anyOf: [{ const: 'a' }, { const: 1 }] }, ['"a"', '1'], ['"b"', '2']],
    [{ type: 'null' }, ['null'], ['0']],
    [{ type: ['object', 'null'] }, ['null', '{}'], ['[]']],
    [{ type: ['string', 'null'], maxLength: 2 }, ['null', '"ab"', '"日本"'], ['"abc"']],
    [{ type: ['string', 'null'], enum: ['a'] }, ['"a"'], ['null', '"b"']],
    [{ type: ['string', 'null'], enum: ['a', null] }, ['"a"', 'null'], ['"b"']],
    [{ type: ['string', 'integer', 'null'], format: 'date', examples: ['a'] }, ['"2026-01-01"', '1', 'null'], ['"a"']],
    [{ type: ['number', 'integer'], maximum: 1 }, ['0.5', '1'], ['2']],
    [{ type: ['string', 'integer'], allOf: [{ enum: ['a', 1] }], anyOf: [string, integer] }, ['"a"', '1'], ['2']],
  ],
  'values and numbers are exact': [
    [{ ...string, examples: ['a'] }, ['"a"'], ['1']],
    [{ const: 9007199254740993n }, [big], ['9007199254740992', '"a"']],
    [{ enum: [{ a: 1, b: [2] }, null] }, ['{"b":[2],"a":1}', 'null'], ['{"a":1}']],
    [{ allOf: [integer], const: 1, enum: [1, 2] }, ['1'], ['2', '3']],
    [{ ...integer, format: 'uint64' }, ['18446744073709551615', '0'], ['-1', '18446744073709551616', '0.5']],
    [{ allOf: [{ maximum: 1 }], const: 2, enum: [1, 2] }, [], ['1', '2']],
    [{ ...integer, exclusiveMinimum: 1, minimum: 0 }, ['2'], ['1', '0']],
    [{ ...integer, exclusiveMinimum: 1, minimum: 1 }, ['2'], ['1']],
    [{ ...integer, exclusiveMaximum: 9, maximum: 5 }, ['5'], ['6']],
    [{ ...integer, exclusiveMaximum: 9 }, ['8'], ['9']],
    [{ minimum: 1 }, ['1', '"text"', big], ['0']],
    [{ ...number, multipleOf: 0.1 }, ['0.3', '1e+21', '-7'], ['0.35', '1e-7']],
    [true, ['{"any":[1]}'], []],
    [false, [], ['1']],
  ],
  'texts have formats and patterns': [
    [{ ...string, format: 'int32' }, ['"any"'], []],
    [{ ...string, maxLength: 1 }, ['"😀"'], ['"ab"']],
    [{ ...string, format: 'date-time' }, ['"2026-10-05T09:00:00Z"'], ['"2026-10-05"']],
    [{ ...string, pattern: "^[\\p{L}\\'\\ ]+$" }, ['"Anna"', '"O\'Hara B"'], ['"p{L}"', '"1"']],
    [{ ...string, pattern: '^\\@.$' }, ['"@😀"', '"@a"'], ['"@"', '"@ab"']],
    [{ ...ref('Short'), pattern: '^a' }, ['"ab"'], ['"abc"', '"bb"']],
    [{ ...ref('Short'), allOf: [{ pattern: '^a' }] }, ['"ab"'], ['"abc"', '"bb"']],
    [ref('Alias'), ['"ab"'], ['"a"', '"abc"']],
  ],
  'items are described one by one, and counted': [
    [{ prefixItems: [string, int64], items: false }, ['["a"]', `["a",${big}]`], ['[1]', '["a",1,2]']],
    [{ prefixItems: [string], unevaluatedItems: { const: 0 } }, ['["a",0]'], ['["a",1]']],
    [{ contains: { const: 1 }, minContains: 2, maxContains: 3 }, ['[1,1,0]', '[1,1,1]'], ['[1]', '[1,1,1,1]']],
    [{ contains: object({ n: int64, d: { default: 1 } }, requiring('n')) }, ['[{"n":5},{}]'], ['[{}]']],
    [{ type: 'array', uniqueItems: true }, ['[1,"1"]', '[1e+30,1e+31]'], ['[{"a":1},{"a":1}]', '[1e30,1e30]']],
    [{ type: 'array', uniqueItems: false }, ['[1,1]', '[{},{}]'], ['1']],
    [{ items: integer, contains: int64 }, [`[${big}]`], ['[]']],
  ],
  'properties are described by name, by pattern and by others': [
    [object({}, { patternProperties: { '^n': int64 } }), [`{"n1":${big},"o":"x"}`], ['{"n":"x"}']],
    [object({ n: true }, { patternProperties: { '^n': int64 } }), [`{"n":${big}}`], ['{"n":"x"}']],
    [object({}, { additionalProperties: string }), ['{"a":"b"}'], ['{"a":1}']],
    [{ type: 'object', propertyNames: { maxLength: 1 } }, ['{"a":1}'], ['{"ab":1}']],
    [{ type: 'object', dependentRequired: { a: ['b'] } }, ['{"b":1}', '{"a":1,"b":1}'], ['{"a":1}']],
    [{ type: 'object', dependentSchemas: { a: requiring('b') } }, ['{}'], ['{"a":1}']],
    [{ type: 'object', dependentSchemas: { '(': requiring('b') } }, ['{}'], ['{"(":1}']],
    [{ allOf: [object({ a: int64 })], unevaluatedProperties: false }, [`{"a":${big}}`], ['{"a":1,"b":2}']],
    [
      { ...object({ a: {} }), allOf: [object({ b: {} })], unevaluatedProperties: false },
      ['{"a":1,"b":1}'],
      ['{"c":1}'],
    ],
  ],
  'conditions and branches apply, and describe the properties of what applies': [
    [{ if: { properties: { a: string } }, unevaluatedProperties: false }, ['{"a":"b"}'], ['{"a":1}', '{"b":1}']],
    [
      {
        if: { properties: { a: { const: 1 } }, required: ['a'] },
        else: { properties: { b: {} } },
        unevaluatedProperties: false,
      },
      ['{"a":1}', '{"b":1}'],
      ['{"a":2,"b":1}', '{"a":1,"b":1}'],
    ],
    [{ if: string, else: { const: 1 } }, ['"ab"', '1'], ['2']],
    [{ if: string, ...consequence({ minLength: 2 }) }, ['"ab"', '1'], ['"a"']],
    [{ not: string }, ['1'], ['"a"']],
    [{ oneOf: [string, { maxLength: 1 }] }, ['"ab"', '1'], ['"a"']],
    [{ anyOf: [{ ...string, minLength: 2 }] }, ['"ab"'], ['"a"']],
    [
      { oneOf: [kind('a'), kind('b')], discriminator: { propertyName: 'kind', defaultMapping: 'B' } },
      ['{"kind":"a"}'],
      [],
    ],
    [
      { ...object({ kind: string }), if: condition, dependentSchemas: { a: count }, ...consequence(count) },
      {
        '{"kind":"b"}': '{"kind":"b"}',
        '{"kind":"a"}': '{"kind":"a","n":5}',
        '{"kind":"b","a":1}': '{"kind":"b","a":1,"n":5}',
      },
      [],
    ],
    [object({ pet: orNull(ref('Pet')) }), [`{"pet":{"kind":"cat","id":${big}}}`], ['{"pet":{}}']],
    [object({ id: orNull(ref('Id')) }, requiring('id')), { '{"id":"a"}': '{}' }, []],
    [object({ pet: { ...ref('Pet'), description: 'A.' } }), [`{"pet":{"kind":"cat","id":${big}}}`], ['{"pet":{}}']],
  ],
  'references by names and places lead to what has them': [
    { $ref: '#number' },
    { $id: 'https://example.com/a', $ref: '#own', $defs: { b: { $anchor: 'own', ...number } } },
    {
      ...{ $id: 'https://example.com/a/b', $ref: 'c' },
      $defs: { b: { $id: '/a/c', ...number }, c: { $id: 'https://example.com/c', ...string } },
    },
    { $id: 'urn:uuid:123e4567-e89b-12d3-a456-426614174000', $ref: '#/$defs/a~1b', $defs: { 'a/b': number } },
    {
      allOf: [{ $ref: 'https://example.com/d#/$defs/e' }],
      $defs: { d: { $id: 'https://example.com/d', $defs: { e: number } } },
    },
    { $dynamicRef: '#only', $defs: { a: { $dynamicAnchor: 'only', ...number } } },
    { $id: 'https://example.com/e', $dynamicRef: '#own', $defs: { a: { $anchor: 'own', ...number } } },
    {
      ...{ $ref: '#number', $dynamicRef: '#least', allOf: [{ maximum: 9 }] },
      $defs: { a: { $dynamicAnchor: 'least', minimum: 1 } },
    },
    { $id: 'https://example.com/f', anyOf: [number, list({ $ref: '#' }, { minItems: 9 })] },
    { $ref: '#number', allOf: [true], properties: { a: false } },
    { $ref: '#/components/schemas/Box/$defs/inner' },
  ].map((schema): Row => [schema, ['5'], ['"text"']]),
  'a value may look like a name': [[{ enum: [{ $id: 'a', $ref: '#number' }] }, ['{"$id":"a","$ref":"#number"}'], []]],
}

for (const [openapi, groups, components] of [
  ['3.0.3', of30, { schemas }],
  ['3.2.0', since31, { schemas: newer }],
] as const) {
  for (const [title, rows] of Object.entries(groups))
    t.test(`${title}, in ${openapi}`, async (t) => accepts(t, rows, openapi, components))
}

t.test('of a condition, only what it demands is said', async (t) => {
  const send = await serveBody(t, { if: string, ...consequence({ minLength: 2 }) }, '3.1.0')
  t.equal(await send('"a"'), '400 body must NOT have fewer than 2 characters.')
})

const ofKind = (schema: object, more: object = {}) =>
  object({ kind: schema, id: int64 }, { required: ['kind'], ...more })
const values = (...names: string[]) => ({ ...string, enum: names })
const typeless = { ...ofKind(values('a')), type: undefined }
/** Unions whose discriminator decides, and those where it would refuse what one branch takes, or take what two do. */
const unions: object[] = [
  { oneOf: [ofKind(values('a')), ofKind(values('b', 'c'), { required: ['kind', 'id'] })] },
  { anyOf: [ofKind(values('a')), { allOf: [ofKind(string), ofKind(values('b'))] }] },
  { type: 'object', oneOf: [typeless, ofKind(values('b'))] },
  { oneOf: [ofKind(values('a')), ofKind(values('a', 'b'))] },
  { oneOf: [ofKind(string, { required: ['id'] }), ofKind(string, { required: ['kind'], maxProperties: 1 })] },
  { anyOf: [ofKind(values('a'), { required: undefined }), ofKind(values('b'))] },
  { oneOf: [typeless, ofKind(values('b'))] },
  { oneOf: [ofKind(values('a'), { nullable: true }), ofKind(values('b'))] },
  { oneOf: [ofKind({ ...values('a'), readOnly: true }), ofKind({ ...values('b'), readOnly: true })] },
  { oneOf: [ofKind(values('a')), ofKind(values('b'))], anyOf: [object({}, requiring('id')), ofKind(values('a'))] },
]
const ofUnions = ['{"kind":"a"}', '{"kind":"b","id":1}', '{"kind":"b"}', '{"kind":"x"}', '{"id":1}', '{}', '1', 'null']

t.test('a discriminator changes neither what is valid nor what is received', async (t) => {
  for (const union of unions) {
    const discriminator = { propertyName: 'kind', mapping: { x: '#/components/schemas/Cat' } }
    const plain = await serveBody(t, union, '3.0.3', { schemas })
    const chosen = await serveBody(t, { ...union, discriminator }, '3.0.3', { schemas })
    for (const payload of ofUnions) {
      const [expected, received] = [await plain(payload), await chosen(payload)]
      t.equal(received.slice(0, 3), expected.slice(0, 3), `${JSON.stringify(union)} ${payload}`)
      if (!expected.startsWith('400')) t.equal(received, expected)
    }
  }
})

t.test('what Ajv would read otherwise, and references that lead nowhere, keep a document from starting', async (t) => {
  const dynamic = { $dynamicAnchor: 'some', ...number }
  const refused: [schema: object, message: RegExp][] = [
    [{ contains: {}, unevaluatedItems: false }, /unevaluatedItems beside contains/],
    [{ anyOf: [{ items: string }, {}], unevaluatedItems: false }, /items of a branch/],
    [{ allOf: [{ allOf: [{ items: string }] }], unevaluatedItems: false }, /items of a branch/],
    [{ if: { prefixItems: [{ const: 'a' }] }, unevaluatedItems: false }, /beside contains, if or/],
    [JSON.parse('{"properties":{"__proto__":{"type":"number"}}}'), /the property __proto__ is not supported/],
    [{ ...string, pattern: '^a\\Z' }, /is no regular expression/],
    [{ $ref: '#gone' }, /the reference #gone leads nowhere/],
    [{ $ref: 'https://example.com/gone#number' }, /leads nowhere/],
    [{ $ref: 'http://[' }, /the reference http:\/\/\[ leads nowhere/],
    [{ $id: '#number' }, /\$id is not supported/],
    [{ $id: 'http://[', allOf: [{ $ref: '#number' }], $dynamicRef: '#number' }, /\$id is not supported/],
    [{ $anchor: 'a', properties: { a: null } }, /properties a/],
    [{ $id: 'urn:a:b', $defs: { a: { $id: 'c' } } }, /\$id is not supported/],
    [
      { $dynamicRef: '#some', $defs: { a: dynamic, b: { $id: 'https://example.com/b', ...dynamic } } },
      /\$dynamicRef is not supported/,
    ],
  ]
  for (const [schema, message] of refused)
    await t.rejects(serveBody(t, schema, '3.1.0', { schemas: newer }), { message })
})
