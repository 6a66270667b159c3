// Holds log messages, such as the warnings about variables, until there is a log, or the start fails.

type Level = 'info' | 'warn' | 'error'

export function earlyLog() {
  const held: [level: Level, message: string][] = []
  let log: Record<Level, (message: string) => void> | undefined
  return {
    write(level: Level, message: string) {
      if (log) log[level](message)
      else held.push([level, message])
    },
    flowTo(opened: NonNullable<typeof log>) {
      log = opened
      for (const [level, message] of held.splice(0)) log[level](message)
    },
  }
}
