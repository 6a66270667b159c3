// Reads environment variables and collects all errors.
import { readFileSync } from 'node:fs'
import { type Name, neverQuoted, secrets, type ValueOf, variables } from './table.ts'

export type Reader = ReturnType<typeof openReader>

/** Errors are logged, so they must not contain secrets, or passwords in URLs. */
const isShown = (name: Name, text: string) => !neverQuoted.includes(name) && !/:.*@/s.test(text)

export function openReader(env: NodeJS.ProcessEnv) {
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

  const read = <N extends Name>(name: N) => parse(name, (message) => errors.push(message))

  return {
    env,
    warnings,
    /** An empty variable counts as unset. */
    isSet,
    /** @returns undefined for a variable that is unset or invalid */
    read,
    /** Like `read`, but an invalid value is only worth a warning. */
    readOrWarn: <N extends Name>(name: N) => parse(name, (message) => warnings.push(`${message}; it is ignored`)),
    /** Rejects an unset variable as well. */
    needed<N extends Name>(name: N): ValueOf<N> {
      if (!isSet(name)) errors.push(`${name} must be ${variables[name].expected}: custom domains need it`)
      return read(name) as ValueOf<N> // what is missing ends the start
    },
    reject(name: Name, message: string) {
      errors.push(`${name} ${message}`)
    },
    warn(message: string) {
      warnings.push(message)
    },
    /** @throws with a line for each invalid variable, followed by the hints */
    check<T>(value: T, hints: readonly string[] = []): T {
      if (errors.length > 0) throw new Error([...errors, ...hints].join('\n'))
      return value
    },
  }
}

/**
 * The value in a file, where containers and systemd put secrets, without the white space around it.
 * @returns also what is wrong with the file
 */
function readSecret(file: string): { text: string; problem?: string } {
  try {
    const text = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .trim()
    return text === '' ? { text, problem: `names an empty file, ${file}` } : { text }
  } catch (error) {
    return { text: '', problem: `names a file that cannot be read, ${file} (${(error as NodeJS.ErrnoException).code})` }
  }
}
