// The command line: --only go,fuzz --seconds 300
import { parseArgs } from 'node:util'

function options() {
  const only = { type: 'string', multiple: true } as const
  const seconds = { type: 'string', default: '45' } as const
  return parseArgs({ options: { only, seconds } }).values
}

/** How long Schemathesis generates requests. */
export const seconds = () => options().seconds

/** The selected runners. @throws with the valid names */
export function chosen<T extends { name: string }>(runners: T[]) {
  const names = options().only?.flatMap((text) => text.split(','))
  const unknown = names?.filter((name) => !runners.some((runner) => runner.name === name)) ?? []
  if (unknown.length > 0)
    throw new Error(`no runner "${unknown.join('", "')}". There are: ${runners.map(({ name }) => name).join(', ')}`)
  return names ? runners.filter(({ name }) => names.includes(name)) : runners
}
