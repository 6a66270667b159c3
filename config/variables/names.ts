// Recognizes misspelled names of variables.
import { secrets, variables } from './table.ts'

const names = new Set([...Object.keys(variables), ...secrets.map((name) => `${name}_FILE`)])
const byLetters = new Map([...names].map((name) => [lettersOf(name), name]))

/** A warning for each variable whose name differs from a known one only by case, underscores or a plural. */
export function nameWarnings(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).flatMap((name) => {
    if (names.has(name)) return []
    const upper = name.toUpperCase()
    const meant = names.has(upper) ? upper : byLetters.get(lettersOf(upper))
    return meant ? [`${name} has no effect; did you mean ${meant}?`] : []
  })
}

function lettersOf(name: string): string {
  return name.replace(/S?(_|$)/g, '')
}
