// Recognizes names of variables that have no effect: misspelled ones, and those of proxies.
import { secrets, variables } from './variables.ts'

const names = new Set([...Object.keys(variables), ...secrets.map((name) => `${name}_FILE`)])
const byLetters = new Map([...names].map((name) => [lettersOf(name), name]))

/** One for each variable whose name differs from a known one only by case, underscores or a plural. */
export function nameWarnings(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).flatMap((name) => {
    if (names.has(name)) return []
    const upper = name.toUpperCase()
    const meant = names.has(upper) ? upper : byLetters.get(lettersOf(upper))
    return meant ? [`${name} has no effect; did you mean ${meant}?`] : []
  })
}

/** One for each variable that asks for a proxy: outgoing requests use none. */
export function proxyWarnings(env: NodeJS.ProcessEnv): string[] {
  const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  const set = names.filter((name) => env[name])
  return set.map(
    (name) => `${name} has no effect: certificate authorities, the webhook and the collector are called directly`,
  )
}

function lettersOf(name: string): string {
  return name.replace(/S?(_|$)/g, '')
}
