// What of OpenAPI 3.0 is implemented: the table in docs/development.md is made of these rules. The start checks each, here
// or in the file that it names.
import type { Operation } from '../../../spec/model/index.ts'
import { bodyRules } from './bodies.ts'
import { parameterRules } from './parameters.ts'
import { type Rule, unsupported } from './rule.ts'

export const rules: readonly Rule[] = [
  ...parameterRules,
  ...bodyRules,
  {
    feature: 'methods',
    supported: 'GET, which also responds to HEAD, and all others but these',
    refused: 'HEAD, TRACE',
    problemsOf: ({ method, path }) => [
      method === 'HEAD' && unsupported(`HEAD ${path}`, 'describe GET instead, which responds to HEAD as well'),
      method === 'TRACE' && unsupported(`TRACE ${path}`, 'it would send credentials back, so use another method'),
    ],
  },
  {
    feature: '`links`, `callbacks`, `servers`',
    supported: 'links; servers of the document',
    refused: 'callbacks; servers of an operation',
    problemsOf: ({ hasCallbacks, hasServers }) => [
      hasCallbacks && 'callbacks are not supported: describe them in the description',
      hasServers && 'servers of an operation are not supported: write them at the top of the document',
    ],
  },
  {
    feature: 'security',
    supported: 'alternatives and combinations of schemes that have a guard',
    refused: 'an operation without `security`, unless the document has one',
    checkedIn: 'security.ts',
  },
  {
    feature: 'numbers',
    supported: '`int8` to `int64`, `uint8` to `uint32`, `float`, `double`, bounds, `enum`, integral `multipleOf`',
    refused: 'other formats of numbers, fractional `multipleOf`',
    checkedIn: 'numbers.ts',
  },
  {
    feature: 'formats',
    supported: 'those of ajv-formats; `byte` as in RFC 4648, `date-time` as in RFC 3339',
    refused: 'none: others only describe',
  },
  {
    feature: '`allOf`, `oneOf`, `anyOf`, `not`',
    supported: 'yes',
    refused: 'an int64 where another branch has another number',
    checkedIn: 'number-places.ts',
  },
  {
    feature: '`discriminator`',
    supported: 'beside `oneOf` or `anyOf`, with `mapping` or the names of the schemas',
    refused: 'a branch without a name, or that does not allow its name',
    checkedIn: 'translate.ts',
  },
  {
    feature: '`readOnly`, `writeOnly`',
    supported: 'a `readOnly` property of a request is ignored; a handler must not return a `writeOnly` one',
    refused: 'none',
  },
  {
    feature: '`default`',
    supported: 'for missing properties and parameters, except within `oneOf`, `anyOf` and `not`',
    refused: 'a value that its schema does not allow',
    checkedIn: 'compiler.ts',
  },
]

/** @throws with the first thing that is not supported */
export function requireSupported(operation: Operation): void {
  for (const { problemsOf } of rules) {
    const problem = problemsOf?.(operation).find((one) => one !== false)
    if (problem) throw new Error(problem)
  }
}
