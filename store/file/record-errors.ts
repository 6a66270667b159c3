// Counts the errors in an orders file and keeps the first twenty.

export interface RecordErrors {
  readonly count: number
  add(line: number, message: string): void
  /** What to correct, line by line. */
  summary(file: string): string
}

const SHOWN = 20
/** Errors do not arrive in line order, so the list is sorted and cut now and then. */
const KEPT = 1000

export function recordErrors(): RecordErrors {
  let count = 0
  let kept: { line: number; message: string }[] = []
  const first = () => kept.sort((a, b) => a.line - b.line).slice(0, SHOWN)
  return {
    get count() {
      return count
    },
    add(line, message) {
      count++
      kept.push({ line, message })
      if (kept.length === KEPT) kept = first()
    },
    summary(file) {
      const shown = first()
      const more = count - shown.length
      return [
        `${file}: nothing was loaded; correct ${count === 1 ? 'this error' : `these ${count} errors`}:`,
        ...shown.map(({ line, message }) => `  line ${line}: ${message}`),
        ...(more > 0 ? [`  and ${more} more`] : []),
      ].join('\n')
    },
  }
}
