// Reports a row: medians and ranges of the rounds, and the ratio of the first figure to each other one, of CPU if measured.

/** @typedef {import('./run.js').Sample} Sample */

const heads = ['', 'server', 'median (range)', 'CPU (range)', 'ratio (range)']

/** @param {import('./run.js').Row} row @param {[string, Sample[]][]} measured @returns {string[][]} a line a figure */
export function linesOf({ title, unit, isCompared = true }, measured) {
  const [[, ours] = ['', []]] = measured
  return measured.map(([name, samples], index) => {
    const [values, cpu] = [samples.map(({ value }) => value), samples.map((sample) => sample.cpu ?? Number.NaN)]
    const isMeasured = !cpu.some(Number.isNaN)
    const of = (sample) => (isMeasured ? sample.cpu : sample.value)
    const ratios = ours.map((sample, round) => of(sample) / of(samples[round]))
    return [
      index === 0 ? `${title} (${unit})` : '',
      name,
      ranged(values, figureOf),
      isMeasured ? timesOf(cpu) : '',
      isCompared && index > 0 ? ranged(ratios, ratioOf) : '',
    ]
  })
}

/** For a terminal. @param {string[][]} lines */
export function printed(lines) {
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const [[title] = []] = lines
  const columns = lines.map((line) => line.slice(1).map((text, column) => text.padEnd(Number(widths[column + 1]))))
  return [title, ...columns.map((cells) => `  ${cells.join('  ')}`.trimEnd())].join('\n')
}

/** @param {string[][]} lines */
export function markdown(lines) {
  return [heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** @param {number[]} values @returns {number} */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}

/** @param {number[]} values @param {(value: number) => string} format */
const ranged = (values, format) =>
  `${format(median(values))} (${format(Math.min(...values))}–${format(Math.max(...values))})`

/** @param {number[]} values in µs */
function timesOf(values) {
  const isLong = median(values) >= 10_000
  const inMs = values.map((value) => value / 1000)
  return isLong ? `${ranged(inMs, figureOf)} ms` : `${ranged(values, figureOf)} µs`
}

const figureOf = (figure) => digits(figure, Math.abs(figure) >= 100 ? 0 : Math.abs(figure) >= 10 ? 1 : 2)
const ratioOf = (ratio) => digits(ratio, 2)

/** @param {number} figure @param {number} count */
const digits = (figure, count) =>
  figure.toLocaleString('en', { minimumFractionDigits: count, maximumFractionDigits: count })
