// The command line: --only dredd,prism
import { parseArgs } from 'node:util'

/** The selected runners. @throws with the valid names */
export function chosen<T extends { name: string }>(runners: T[]) {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
  const names = values.only?.flatMap((text) => text.split(','))
  const unknown = names?.filter((name) => !runners.some((runner) => runner.name === name)) ?? []
  if (unknown.length > 0) {
    throw new Error(`no runner "${unknown.join('", "')}". There are: ${runners.map(({ name }) => name).join(', ')}`)
  }
  return names ? runners.filter(({ name }) => names.includes(name)) : runners
}
