// Checks bodies against their types at run time. Fields that the OpenAPI document does not have yet are allowed.
import type { components } from '../spec/openapi.d.ts'

type Schemas = components['schemas']
type Check<Type> = (value: unknown) => value is Type
/** The compiler checks each table of fields against the OpenAPI document. */
type Fields<Schema> = { [Field in keyof Schema]-?: Check<Schema[Field]> }

/** RFC 3339 5.6 */
const dateTime =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

const isString = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
const isDateTime = (value: unknown): value is string => isString(value) && dateTime.test(value)
const isInt64 = (value: unknown): value is bigint => typeof value === 'bigint' && value === BigInt.asIntN(64, value)

const isOrder = objectWith<Schemas['Order']>({
  id: optional(isInt64),
  petId: optional(isInt64),
  quantity: optional(isInteger),
  shipDate: optional(isDateTime),
  complete: optional(isBoolean),
})

const isPet = objectWith<Schemas['Pet']>({ id: isInt64 })

/** Any code is valid: a later version may add some. */
export const isError = objectWith<Omit<Schemas['Error'], 'code'> & { code: string }>({
  code: isString,
  message: isString,
  status: isInteger,
})

/** @throws TypeError, which says where the body differs */
export function ordersIn(body: unknown): readonly Schemas['Order'][] {
  if (!Array.isArray(body)) throw new TypeError('The body is not an array.')
  const index = body.findIndex((item) => !isOrder(item))
  if (index !== -1) throw new TypeError(`The item at index ${index} is not an Order.`)
  return body
}

/** @throws TypeError when the body differs */
export function petIn(body: unknown): Schemas['Pet'] {
  if (!isPet(body)) throw new TypeError('The body is not a Pet.')
  return body
}

function optional<Type>(check: Check<Type>): Check<Type | undefined> {
  return (value) => value === undefined || check(value)
}

function objectWith<Schema>(fields: Fields<Schema>): Check<Schema> {
  const checks = Object.entries<Check<unknown>>(fields)
  return (value): value is Schema =>
    isObject(value) && checks.every(([field, check]) => check(Object.hasOwn(value, field) ? value[field] : undefined))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
