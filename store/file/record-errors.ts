// Counts the errors in an orders file and keeps the first twenty.

export type RecordErrors = ReturnType<typeof recordErrors>

const SHOWN = 20

export function recordErrors(file: string) {
  let count = 0
  const lines: string[] = []
  return {
    get count() {
      return count
    },
    add(line: number, message: string) {
      count++
      if (count <= SHOWN) lines.push(`  line ${line}: ${message}`)
    },
    /** @throws with what to correct, line by line, if there are errors */
    check() {
      if (count === 0) return
      const subject = count === 1 ? 'this error' : `these ${count} errors`
      const more = count > SHOWN ? [`  and ${count - SHOWN} more`] : []
      throw new Error([`${file}: nothing was loaded; correct ${subject}:`, ...lines, ...more].join('\n'))
    },
  }
}
