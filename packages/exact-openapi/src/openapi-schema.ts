// The schemas of OpenAPI as functions, each compiled when a document first needs it.
import { Validator } from '@seriousme/openapi-schema-validator'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** Of OpenAPI. */
export const versions = ['3.0', '3.1', '3.2'] as const
export type Version = (typeof versions)[number]

const META_SCHEMA = 'https://json-schema.org/draft/2020-12/schema'

/** Every finding of a document. */
const all = { allErrors: true, strict: false } as const

const compiled = new Map<string, ValidateFunction>()

export function openapiSchema(version: Version): ValidateFunction {
  return memoized(version, () => {
    const validator = new Validator(all) as unknown as { getAjvValidator(version: string): ValidateFunction }
    return validator.getAjvValidator(version) // which the package's types do not declare
  })
}

/** Of JSON Schema 2020-12, in which schemas are written since OpenAPI 3.1. */
export function schemaOfSchemas(): ValidateFunction {
  return memoized(
    META_SCHEMA,
    () => new Ajv2020({ ...all, validateFormats: false }).getSchema(META_SCHEMA) as ValidateFunction,
  )
}

function memoized(name: string, compile: () => ValidateFunction): ValidateFunction {
  const schema = compiled.get(name) ?? compile()
  compiled.set(name, schema)
  return schema
}
