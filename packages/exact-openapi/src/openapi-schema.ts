// The schemas of OpenAPI as functions. Ajv needs 0.2 s to compile one, so a build may store the code of the first. The validator of
// fastify-openapi-glue would compile it once more. No option prevents that, so this replaces the method that compiles,
// which the package's types do not declare; test/openapi-schema.test.ts fails if a new version drops it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { prepare, prepared } from './prepared.ts'

/** Of OpenAPI. */
export const versions = ['3.0', '3.1', '3.2'] as const
export type Version = (typeof versions)[number]
/** The one that a build may store: the schemas of others are compiled when a document needs them. */
const STORED = '3.0'

const META_SCHEMA = 'https://json-schema.org/draft/2020-12/schema'

/** Every finding of a document. */
const all: Options = { allErrors: true }

const require = createRequire(import.meta.url)
const prototype = Validator.prototype as unknown as { getAjvValidator(version: string): ValidateFunction }
const compile = prototype.getAjvValidator
const shared = new Map<string, ValidateFunction>()

prototype.getAjvValidator = openapiSchema

/** Loaded or compiled once in a process. */
export function openapiSchema(version: string): ValidateFunction {
  const schema = shared.get(version) ?? (version === STORED ? loadSchema() : compileSchema(version))
  shared.set(version, schema)
  return schema
}

/** The stored function, or else one that is compiled now. */
export function loadSchema(source = readSchema()): ValidateFunction {
  const code = prepared(source)
  return typeof code === 'string' ? evaluate(code) : compileSchema(STORED)
}

/** Called by a build, after `usePrepared`. */
export function prepareSchema(source = readSchema()): void {
  const options = { ...all, code: { source: true } }
  prepare(source, standaloneCode.default(new Ajv(options), compileSchema(STORED, options)))
}

/** Of JSON Schema 2020-12, in which schemas are written since OpenAPI 3.1. */
export function schemaOfSchemas(): ValidateFunction {
  const schema =
    shared.get(META_SCHEMA) ?? new Ajv2020({ ...all, strict: false, validateFormats: false }).getSchema(META_SCHEMA)
  shared.set(META_SCHEMA, schema as ValidateFunction)
  return schema as ValidateFunction
}

function compileSchema(version: string, options: Options = all): ValidateFunction {
  return compile.call(new Validator({ ...options, strict: false }) as never, version)
}

function evaluate(code: string): ValidateFunction {
  const module = { exports: {} }
  compileFunction(code, ['module', 'require'], { filename: 'openapi-schema.cjs' })(module, require)
  return module.exports as ValidateFunction
}

function readSchema(): string {
  const file = require.resolve(`@seriousme/openapi-schema-validator/schemas/v${STORED}/schema.json`)
  return readFileSync(file, 'utf8')
}
