// A strict, exact contract for Fastify: the document is read into a model, requests are read as it describes them.

export { contractOptions, type ExactOptions, exactOpenapi, operationsOf } from './contract/index.ts'
export type { ErrorOf, Input } from './contract/input.ts'
export type { Output, Sender } from './contract/output.ts'
export { type Problems, problemsOf } from './contract/problems.ts'
export type { Guards } from './contract/security.ts'
export { type Rule, RuleError, rules } from './contract/tolerate.ts'
export { exampleValue } from './examples/value.ts'
export { frozen, loadDocument, parseDocument, prepareDocument } from './load.ts'
export * from './model/index.ts'
export { prepareSchema } from './openapi-schema.ts'
export type { HandlersOf } from './operation-types.ts'
export { usePrepared } from './prepared.ts'
