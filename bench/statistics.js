// Computes medians and ranges and compares them with targets.

/** @param {number[]} values @returns {number} NaN if there are none */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [lower = Number.NaN, upper = lower] = sorted.slice(sorted.length % 2 === 1 ? middle : middle - 1, middle + 1)
  return (lower + upper) / 2
}

/**
 * @typedef {{ median: number, lowest: number, highest: number }} Spread
 *
 * @typedef {object} Comparison
 * @property {string} unit
 * @property {number} ours
 * @property {string} [other] the server in the comparison
 * @property {number} [figure] its figure
 * @property {Spread} [ratio] of the server's figure to that one, by round
 * @property {string} [target]
 * @property {'yes' | 'median' | 'NO'} [reached] by the whole range, or by the median alone
 */

/** @param {number[]} values @returns {Spread} */
export function spreadOf(values) {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) }
}

/** @param {import('./run-row.js').Result} result @returns {Comparison[]} */
export function comparisonsOf({ row, figures }) {
  return row.targets.map(({ of = [], isCpu = false, atLeast, atMost }) => {
    const unit = isCpu ? 'µs CPU' : row.unit
    const [ours, ...others] = figures.map(({ name, values, cpu }) => ({ name, values: isCpu ? cpu : values }))
    const best = bestOf(
      others.filter(({ name }) => of.includes(name)),
      isCpu,
    )
    const values = ours?.values.map((value, round) => (best ? value / Number(best.values[round]) : value)) ?? []
    const spread = spreadOf(values)
    return {
      unit,
      ours: median(ours?.values ?? []),
      ...(best && { other: best.name, figure: median(best.values), ratio: spread }),
      ...(atLeast !== undefined && {
        target: `≥ ${atLeast}${best ? '' : ` ${unit}`}`,
        reached: reached(spread.lowest >= atLeast, spread.median >= atLeast),
      }),
      ...(atMost !== undefined && {
        target: `≤ ${atMost}${best ? '' : ` ${unit}`}`,
        reached: reached(spread.highest <= atMost, spread.median <= atMost),
      }),
    }
  })
}

const reached = (isByAll, isByMedian) => (isByAll ? 'yes' : isByMedian ? 'median' : 'NO')

/** @param {{ name: string, values: number[] }[]} figures @param {boolean} isLowest */
function bestOf(figures, isLowest) {
  const ascending = figures.toSorted((a, b) => median(a.values) - median(b.values))
  return isLowest ? ascending[0] : ascending.at(-1)
}
