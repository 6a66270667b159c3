// Examples of schemas: given ones that are checked, and others that are generated.
export { withoutHidden } from './hidden.ts'
export { mock } from './mock.ts'
export type { Generated } from './search.ts'
export { generateExample } from './value.ts'
export { type Direction, firstViolation } from './violations.ts'
