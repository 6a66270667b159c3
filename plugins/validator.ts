// Validation of requests against the document: int64 parameters exactly, as text; everything else by Ajv, strict.
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../spec/errors.ts'

type Schema = { type?: string; format?: string }
type Params = Record<string, unknown>

async function validator(app: FastifyInstance) {
  const ajv = new Ajv({ strict: true, coerceTypes: true, useDefaults: true })
  const bodies = new Ajv({ strict: true, useDefaults: true }) // no coercion: JSON values have types
  for (const each of [ajv, bodies]) addFormats.default(each)

  app.setValidatorCompiler<{ properties: Record<string, Schema>; required: string[] }>(({ schema, httpPart }) => {
    if (httpPart !== 'params') return (httpPart === 'body' ? bodies : ajv).compile(schema)
    const isExact = ([, { type, format }]: [string, Schema]) => type === 'integer' && format === 'int64'
    const properties = Object.entries(schema.properties)
    const exact = properties.filter(isExact).map(([name]) => name)
    const isAllExact = exact.length === properties.length
    const others = ajv.compile({
      ...schema,
      properties: Object.fromEntries(properties.filter((property) => !isExact(property))),
      required: schema.required.filter((name) => !exact.includes(name)),
    })
    return (params: Params) => {
      const value = { ...params }
      for (const name of exact) {
        const id = parseInt64(String(params[name]))
        if (id === undefined) return { error: malformed(name) }
        value[name] = id
      }
      return isAllExact || others(value) ? { value } : { error: others.errors as ErrorObject[] }
    }
  })
}

/** The integer in plain decimal digits, or undefined: Ajv would coerce `1e3`, `007` or ` `, and round. */
function parseInt64(text: string): bigint | undefined {
  if (!/^-?(0|[1-9]\d{0,18})$/.test(text) || text === '-0') return undefined
  const value = BigInt(text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

function malformed(name: string) {
  return new ApiError('invalid_request', `${name} must be a 64-bit integer in plain decimal digits.`)
}

export default fp(validator, { name: 'validator' })
