// Reads environment variables and collects all errors.
import type { Format } from './formats.ts'

export interface Reader {
  env: NodeJS.ProcessEnv
  /** Undefined for a variable that is unset, empty or invalid. */
  read<T>(name: string, format: Format<T>): T | undefined
  /** Rejects an unset variable as well. */
  needed(name: string, format: Format<string>): string
  reject(name: string, message: string): void
  /** @throws with a line for each invalid variable, followed by the hints */
  check<T>(value: T, hints?: readonly string[]): T
}

/** Errors are logged, so they must not contain secrets or passwords in URLs. */
const isSecret = (name: string, text: string) => /_(KEYS?|SECRET|HEADERS|WEBHOOK_URL)$/.test(name) || /:.*@/s.test(text)

export function openReader(env: NodeJS.ProcessEnv): Reader {
  const errors: string[] = []
  const reader: Reader = {
    env,
    read(name, { expected, parse }) {
      const text = env[name]
      if (text === undefined || text === '') return undefined
      const value = parse(text)
      if (value === undefined)
        errors.push(`${name} must be ${expected}${isSecret(name, text) ? '' : `, not "${text}"`}`)
      return value
    },
    needed(name, format) {
      if (!env[name]) errors.push(`${name} must be ${format.expected}: custom domains need it`)
      return reader.read(name, format) ?? ''
    },
    reject(name, message) {
      errors.push(`${name} ${message}`)
    },
    check(value, hints = []) {
      if (errors.length > 0) throw new Error([...errors, ...hints].join('\n'))
      return value
    },
  }
  return reader
}
