// Holds log messages, such as the warnings about variables, until the log exists.

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
      for (const [level, message] of held) log[level](message)
    },
  }
}
