// The schema of OpenAPI 3.0 as a function. Ajv needs 0.2 s to compile it, so the build stores its code. Both
// fastify-openapi-glue and exact-openapi get it from the same method of a library, which no option replaces and no type
// declares; test/spec/openapi-schema.test.ts fails if a new version drops it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { prepare, prepared } from './prepared.ts'

/** The version of this service's documents, and of the one that glue validates. */
const STORED = '3.0'

const require = createRequire(import.meta.url)
const prototype = Validator.prototype as unknown as { getAjvValidator(version: string): ValidateFunction }
const compile = prototype.getAjvValidator
let stored: ValidateFunction | undefined

prototype.getAjvValidator = function (version) {
  if (version !== STORED) return compile.call(this, version)
  stored ??= storedValidator()
  return stored
}

/** The stored function, or else one that is compiled now. */
export function storedValidator(source = schemaText()): ValidateFunction {
  const code = prepared(source)
  return typeof code === 'string' ? evaluate(code) : compileSchema()
}

/** Called by a build. */
export function storeValidator(source = schemaText()): void {
  const options = { allErrors: true, code: { source: true } }
  prepare(source, standaloneCode.default(new Ajv(options), compileSchema(options)))
}

function compileSchema(options: Options = { allErrors: true }): ValidateFunction {
  return compile.call(new Validator({ ...options, strict: false }) as never, STORED)
}

function evaluate(code: string): ValidateFunction {
  const module = { exports: {} }
  compileFunction(code, ['module', 'require'], { filename: 'openapi-schema.cjs' })(module, require)
  return module.exports as ValidateFunction
}

function schemaText(): string {
  const file = require.resolve(`@seriousme/openapi-schema-validator/schemas/v${STORED}/schema.json`)
  return readFileSync(file, 'utf8')
}
