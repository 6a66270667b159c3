// What commands share: the terminal, and the check of their arguments.

/** The part of `process` that commands use. */
export interface Terminal {
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  env: NodeJS.ProcessEnv
}

/** @throws unless there is one argument for each name, in this order */
export function onlyArguments(given: readonly string[], names: readonly string[]): string[] {
  const missing = names[given.length]
  if (missing !== undefined) throw new Error(`${missing} is missing; --help shows the usage`)
  if (given.length > names.length) throw new Error(`unexpected argument "${given[names.length]}"`)
  return [...given]
}
