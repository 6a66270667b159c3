// Reads environment variables and collects all errors.
import { readSecret } from './secret-file.ts'
import { type Name, secrets, unshown, type ValueOf, variables } from './variables.ts'

export interface Reader {
  env: NodeJS.ProcessEnv
  /** An empty variable counts as unset. */
  isSet(name: Name): boolean
  /** Undefined for a variable that is unset or invalid. */
  read<N extends Name>(name: N): ValueOf<N> | undefined
  /** Like `read`, but an invalid value is only worth a warning. */
  readOrWarn<N extends Name>(name: N): ValueOf<N> | undefined
  /** Rejects an unset variable as well. */
  needed(name: NamesOfText): string
  reject(name: Name, message: string): void
  warn(message: string): void
  readonly warnings: string[]
  /** @throws with a line for each invalid variable, followed by the hints */
  check<T>(value: T, hints?: readonly string[]): T
}

type NamesOfText = { [N in Name]: ValueOf<N> extends string ? N : never }[Name]

/** Errors are logged, so they must not contain secrets, or passwords in URLs. */
const isShown = (name: Name, text: string) => !unshown.includes(name) && !/:.*@/s.test(text)

export function openReader(env: NodeJS.ProcessEnv): Reader {
  const errors: string[] = []
  const warnings: string[] = []

  const fileOf = (name: Name) => (secrets.includes(name) && env[`${name}_FILE`]) || undefined
  const isSet = (name: Name) => Boolean(env[name] || fileOf(name))

  function textOf(name: Name): string | undefined {
    const file = fileOf(name)
    if (file === undefined) return env[name]
    const { text, problem } = env[name] ? { text: '', problem: `and ${name} are both set: keep one` } : readSecret(file)
    if (problem) errors.push(`${name}_FILE ${problem}`)
    return text
  }

  function parse<N extends Name>(name: N, report: (message: string) => void): ValueOf<N> | undefined {
    const text = textOf(name)
    if (!text) return undefined
    const { expected, parse } = variables[name]
    const value = parse(text)
    if (value === undefined)
      report(`${name} must be ${expected}${isShown(name, text) ? `, not ${JSON.stringify(text)}` : ''}`)
    return value as ValueOf<N> | undefined
  }

  const reader: Reader = {
    env,
    warnings,
    isSet,
    read: (name) => parse(name, (message) => errors.push(message)),
    readOrWarn: (name) => parse(name, (message) => warnings.push(`${message}; it is ignored`)),
    needed(name) {
      if (!isSet(name)) errors.push(`${name} must be ${variables[name].expected}: custom domains need it`)
      return reader.read(name) ?? ''
    },
    reject(name, message) {
      errors.push(`${name} ${message}`)
    },
    warn(message) {
      warnings.push(message)
    },
    check(value, hints = []) {
      if (errors.length > 0) throw new Error([...errors, ...hints].join('\n'))
      return value
    },
  }
  return reader
}
