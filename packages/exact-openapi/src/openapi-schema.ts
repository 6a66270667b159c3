// The schema of OpenAPI 3.0 as a function. Ajv needs 0.2 s to compile it, so a build may store the code. The validator of
// fastify-openapi-glue would compile it once more. No option prevents that, so this replaces the method that compiles,
// which the package's types do not declare; test/openapi-schema.test.ts fails if a new version drops it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { prepare, prepared } from './prepared.ts'

const VERSION = '3.0'
const require = createRequire(import.meta.url)
const prototype = Validator.prototype as unknown as { getAjvValidator(version: string): ValidateFunction }
const compile = prototype.getAjvValidator
let shared: ValidateFunction | undefined

prototype.getAjvValidator = function (version) {
  return version === VERSION ? openapiSchema() : compile.call(this, version)
}

/** Loaded or compiled once in a process. */
export function openapiSchema(): ValidateFunction {
  shared ??= loadSchema()
  return shared
}

/** The stored function, or else one that is compiled now. */
export function loadSchema(source = readSchema()): ValidateFunction {
  const code = prepared(source)
  return typeof code === 'string' ? evaluate(code) : compileSchema()
}

/** Called by a build, after `usePrepared`. */
export function prepareSchema(source = readSchema()): void {
  const options = { code: { source: true } }
  prepare(source, standaloneCode.default(new Ajv(options), compileSchema(options)))
}

function compileSchema(options: Options = {}): ValidateFunction {
  return compile.call(new Validator({ ...options, strict: false }) as never, VERSION)
}

function evaluate(code: string): ValidateFunction {
  const module = { exports: {} }
  compileFunction(code, ['module', 'require'], { filename: 'openapi-schema.cjs' })(module, require)
  return module.exports as ValidateFunction
}

function readSchema(): string {
  const file = require.resolve(`@seriousme/openapi-schema-validator/schemas/v${VERSION}/schema.json`)
  return readFileSync(file, 'utf8')
}
