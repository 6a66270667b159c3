// The errors in an orders file: all are counted, and the first ones kept.

export interface Mistakes {
  readonly count: number
  add(line: number, message: string): void
  /** The errors to correct, line by line. */
  summary(file: string): string
}

const SHOWN = 20
/** Errors do not arrive in line order, so the list is sorted and cut now and then. */
const HELD = 1000

export function mistakesOf(): Mistakes {
  let count = 0
  let held: { line: number; message: string }[] = []
  const first = () => held.sort((a, b) => a.line - b.line).slice(0, SHOWN)
  return {
    get count() {
      return count
    },
    add(line, message) {
      count++
      held.push({ line, message })
      if (held.length === HELD) held = first()
    },
    summary(file) {
      const shown = first()
      const more = count - shown.length
      return [
        `${file}: nothing was loaded, correct ${count === 1 ? 'this mistake' : `these ${count} mistakes`}:`,
        ...shown.map(({ line, message }) => `  line ${line}: ${message}`),
        ...(more > 0 ? [`  and ${more} more`] : []),
      ].join('\n')
    },
  }
}
