// Medians, and their comparison with targets.

/** @param {number[]} values @returns {number} NaN if there are none */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [lower = Number.NaN, upper = lower] = sorted.slice(sorted.length % 2 === 1 ? middle : middle - 1, middle + 1)
  return (lower + upper) / 2
}

/**
 * @typedef {object} Comparison
 * @property {string | undefined} other server in the comparison
 * @property {number | undefined} figure
 * @property {number | undefined} ratio of the server's figure to that one
 * @property {string} [target]
 * @property {boolean} [isReached]
 */

/** @param {import('./run-row.js').Result} result @returns {Comparison[]} */
export function comparisonsOf({ row, figures }) {
  const [{ median: ours } = { median: Number.NaN }, ...others] = figures
  return row.targets.map(({ of, atLeast, atMost }) => {
    const best = others.filter(({ name }) => of?.includes(name)).sort((a, b) => b.median - a.median)[0]
    const ratio = best && ours / best.median
    const value = ratio ?? ours
    return {
      other: best?.name,
      figure: best?.median,
      ratio,
      ...(atLeast !== undefined && { target: `≥ ${atLeast}`, isReached: value >= atLeast }),
      ...(atMost !== undefined && { target: `≤ ${atMost}${of ? '' : ` ${row.unit}`}`, isReached: value <= atMost }),
    }
  })
}
