// Why a domain is not live, or may not stay so: one table of what each problem means and how it is told. A problem is
// named by its code where it is found, and where a single one is treated otherwise.
import { certificateProblems } from './certificate-problems.ts'
import { serverProblems } from './name-server-problems.ts'
import type { Definition } from './problem.ts'
import { recordProblems } from './record-problems.ts'

export const problems = { ...recordProblems, ...serverProblems, ...certificateProblems }

export type ProblemCode = keyof typeof problems

/** A problem of a domain, stored as JSON: its code, and the fields that its definition names. */
export type Problem = { [Code in ProblemCode]: { code: Code } & FieldsOf<(typeof problems)[Code]> }[ProblemCode]

type FieldsOf<D> = D extends Definition<infer Fields> ? Fields : never

export function definitionOf({ code }: Problem): Definition<unknown> {
  return problems[code]
}
