// Schemas of OpenAPI 3.1 and later (JSON Schema 2020-12) in the keywords of 3.0, as far as it has them: one type and
// `nullable`, bounds that may be exclusive, `enum`, one example. All other keywords stay.
import type { OpenAPIV3 } from 'openapi-types'

type Node = Record<string, unknown>

/** Whether a document's schemas are those of OpenAPI 3.0, not of JSON Schema. */
export const isOpenApi30 = (openapi: string): boolean => /^3\.0\./.test(openapi)

/** Of a whole document. @returns how a schema is read, without its parts */
export function dialectOf(openapi: string): (node: object | boolean) => OpenAPIV3.SchemaObject {
  const one = (isOpenApi30(openapi) ? readFormer : read) as (node: Node | boolean) => Node
  return ((node: Node | boolean) => one(typeof node === 'object' ? withExamples(node) : node)) as never
}

/** Examples by name are those of parameters and media types: a schema has a list. */
function withExamples(node: Node): Node {
  if (node.examples === undefined || Array.isArray(node.examples)) return node
  const { examples, ...others } = node
  return others
}

/** OpenAPI 3.0.3, "Schema Object": `nullable` needs a type beside it, and null must be one of the values of an enum. */
function readFormer(node: Node): Node {
  const { nullable, ...others } = node
  const values = node.enum as readonly unknown[] | undefined
  const isNullable = nullable === true && node.type !== undefined && (!values || values.includes(null))
  return isNullable ? node : others
}

function read(given: Node | boolean): Node {
  if (given === true) return {}
  if (given === false) return { not: {} }
  const { $ref, $comment, $defs, type, const: constant, exclusiveMinimum, exclusiveMaximum, ...others } = given
  const { examples } = others
  const bounds = {
    ...boundOf('minimum', others.minimum as number, exclusiveMinimum as number, Math.max),
    ...boundOf('maximum', others.maximum as number, exclusiveMaximum as number, Math.min),
  }
  const all = (others.allOf as object[] | undefined) ?? []
  const node: Node = {
    ...others,
    ...bounds,
    ...('const' in given && (others.enum ? { allOf: [...all, { const: constant }] } : { enum: [constant] })),
    ...(Array.isArray(examples) && examples.length > 0 && !('example' in others) && { example: examples[0] }),
  }
  if (typeof $ref === 'string') node.allOf = [{ $ref }, ...((node.allOf as object[] | undefined) ?? all)]
  return typed(node, type as string | string[] | undefined)
}

/** Of the two, only the narrower one limits. */
function boundOf(
  name: 'minimum' | 'maximum',
  inclusive: number | undefined,
  exclusive: number | undefined,
  narrower: (one: number, other: number) => number,
): Node {
  if (exclusive === undefined) return {}
  const isExclusive = inclusive === undefined || narrower(inclusive, exclusive) === exclusive
  return isExclusive
    ? { [name]: exclusive, [name === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum']: true }
    : { [name]: inclusive }
}

const numeric = ['format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** Several types become alternatives, each with the keywords that numbers have, if it is one. */
function typed(node: Node, type: string | readonly string[] | undefined): Node {
  const types = [type ?? []].flat()
  const [only, ...others] = types.filter((text) => text !== 'null')
  const isNullable = types.includes('null')
  if (only === undefined) return isNullable ? { ...node, type: 'null' } : node
  const values = node.enum as readonly unknown[] | undefined
  if (others.length === 0) {
    return { ...node, type: only, ...(isNullable && (!values || values.includes(null)) && { nullable: true }) }
  }
  const shared = Object.fromEntries(Object.entries(node).filter(([key]) => !numeric.includes(key)))
  const own = Object.fromEntries(Object.entries(node).filter(([key]) => numeric.includes(key)))
  // An integer is a number.
  const distinct = [only, ...others].filter((text, _, all) => text !== 'integer' || !all.includes('number'))
  const alternatives = [...distinct, ...(isNullable ? ['null'] : [])].map((text) => ({
    type: text,
    ...(/^(integer|number|string)$/.test(text) && pickFor(text, own)),
  }))
  const { anyOf, allOf = [], ...rest } = shared as { anyOf?: object[]; allOf?: object[] }
  return anyOf ? { ...rest, allOf: [...allOf, { anyOf }], anyOf: alternatives } : { ...shared, anyOf: alternatives }
}

/** A format of numbers is none of strings. */
function pickFor(type: string, { format, ...bounds }: Node): Node {
  if (type === 'string') return /^u?int|float|double/.test(String(format)) ? {} : { format }
  return { ...bounds, ...(/^(u?int\d+|float|double)$/.test(String(format)) && { format }) }
}
