// Prints the table at the end of a run.
import type { Result } from './types.ts'

const columns: [title: string, text: (result: Result) => string | number | undefined][] = [
  ['runner', ({ name }) => name],
  ['version', ({ version }) => version],
  ['cases', ({ cases }) => cases],
  ['failures', ({ failures }) => failures],
  ['warnings', ({ warnings }) => warnings],
  ['skipped', ({ skipped }) => skipped],
  ['seconds', ({ seconds }) => seconds.toFixed(0)],
  ['verdict', ({ problems }) => (problems.length === 0 ? 'good' : 'BAD')],
]

export function summaryOf(results: Result[]): string {
  const rows = [columns.map(([title]) => title), ...results.map((result) => columns.map(([, text]) => text(result)))]
  const cells = rows.map((row) => row.map((text) => String(text ?? '-')))
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)))
  const table = cells.map((row) =>
    row
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const problems = results.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`))
  return [...table, ...(problems.length > 0 ? ['', ...problems] : [])].join('\n')
}
