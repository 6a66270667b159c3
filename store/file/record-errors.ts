// Counts the errors in an orders file and keeps the first twenty.

export type RecordErrors = ReturnType<typeof recordErrors>

const SHOWN = 20

export function recordErrors(file: string) {
  let count = 0
  const shown: string[] = []
  return {
    get count() {
      return count
    },
    add(line: number, message: string) {
      count++
      if (count <= SHOWN) shown.push(`  line ${line}: ${message}`)
    },
    /** @throws with what to correct, line by line, if there are errors */
    check() {
      if (count === 0) return
      const subject = count === 1 ? 'this error' : `these ${count} errors`
      const more = count > SHOWN ? [`  and ${count - SHOWN} more`] : []
      throw new Error([`${file}: nothing was loaded; correct ${subject}:`, ...shown, ...more].join('\n'))
    },
  }
}
