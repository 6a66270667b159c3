// Values of known keywords that are not supported, or have no effect.
import { integerRanges } from './number-places.ts'
import { isPattern } from './patterns.ts'

/** `wrong` cannot be read, `idle` has no effect, and the others name the rule that they break, which may be tolerated. */
export type FindingKind = 'wrong' | 'idle' | 'invalid-part' | 'invalid-pattern' | 'unknown-format'

type Condition = (value: unknown, node: Readonly<Record<string, unknown>>) => string | false

/** What schemas may be written in: another dialect is read as if it were this one. */
const dialect =
  /^https:\/\/(json-schema\.org\/draft\/2020-12\/schema#?|spec\.openapis\.org\/oas\/3\.\d\/dialect\/[^/]+)$/
const otherDialect: Condition = (value) =>
  !dialect.test(String(value)) && `the dialect ${value} is not supported: write JSON Schema 2020-12`

/** Of the OpenAPI Format Registry. `decimal128` is not among them: a double has fewer digits than it promises. */
const numberFormats: Record<string, readonly string[]> = {
  integer: [...Object.keys(integerRanges), 'int64', 'uint64', 'double-int', 'unixtime'],
  number: [...Object.keys(integerRanges), 'float', 'double', 'decimal', 'unixtime'],
}

/** A misspelt format, such as `int46`, would silently make a number of a bigint. */
const unknownFormat: Condition = (format, { type }) => {
  const types = [type].flat().filter((value) => value !== 'null')
  const known = types.flatMap((value) => numberFormats[String(value)] ?? [])
  const isNumeric = types.length > 0 && types.every((value) => Object.hasOwn(numberFormats, String(value)))
  if (!isNumeric || types.includes(format) || known.includes(String(format))) return false
  return `the format ${format} of type ${types.join(' or ')} is not supported: write ${known.join(', ')} or none`
}

/** Of JSON Schema's formats, the one without a check. */
const uncheckedFormat: Condition = (format) => format === 'idn-hostname' && `the format ${format} is not checked`

const noPattern: Condition = (pattern) =>
  !isPattern(String(pattern)) && `${pattern} is no regular expression: correct it`

/** Ajv leaves it out. */
const protoProperty: Condition = (properties) =>
  Object.hasOwn(Object(properties), '__proto__') && 'the property __proto__ is not supported: give it another name'

const idleDiscriminator: Condition = (_value, { oneOf, anyOf }) =>
  !oneOf && !anyOf && 'discriminator has no effect without oneOf or anyOf'

const otherQuerystring: Condition = (value, { content }) => {
  const [[type, media] = []] = Object.entries(Object(content))
  const isForm = type === 'application/x-www-form-urlencoded' && !Object.hasOwn(Object(media), 'encoding')
  const instead = 'write application/x-www-form-urlencoded without encoding, or parameters of the query'
  return value === 'querystring' && !isForm && `this querystring is not supported: ${instead}`
}

/** By object and keyword. */
export const conditions: Record<string, readonly [kind: FindingKind, found: Condition][]> = {
  'document jsonSchemaDialect': [['invalid-part', otherDialect]],
  'schema $schema': [['invalid-part', otherDialect]],
  'schema format': [
    ['unknown-format', unknownFormat],
    ['idle', uncheckedFormat],
  ],
  'schema pattern': [['invalid-pattern', noPattern]],
  'schema patternProperties': [
    [
      'invalid-pattern',
      (patterns, node) =>
        Object.keys(Object(patterns))
          .map((text) => noPattern(text, node))
          .find(Boolean) ?? false,
    ],
  ],
  'schema properties': [['wrong', protoProperty]],
  'schema discriminator': [['idle', idleDiscriminator]],
  'parameter in': [['wrong', otherQuerystring]],
}
