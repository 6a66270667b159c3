// Counts the errors in an orders file and keeps the first twenty.

export interface RecordErrors {
  readonly count: number
  add(line: number, message: string): void
  /** @throws with what to correct, line by line, if there are errors */
  check(): void
}

const SHOWN = 20

export function recordErrors(file: string): RecordErrors {
  let count = 0
  const shown: string[] = []
  return {
    get count() {
      return count
    },
    add(line, message) {
      count++
      if (count <= SHOWN) shown.push(`  line ${line}: ${message}`)
    },
    check() {
      if (count === 0) return
      const subject = count === 1 ? 'this error' : `these ${count} errors`
      const more = count > SHOWN ? [`  and ${count - SHOWN} more`] : []
      throw new Error([`${file}: nothing was loaded; correct ${subject}:`, ...shown, ...more].join('\n'))
    },
  }
}
