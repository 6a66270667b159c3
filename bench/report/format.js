// Formats figures for humans.

/** @param {number | undefined} figure @param {string} unit */
export function figureOf(figure, unit) {
  if (figure === undefined) return ''
  const digits = Math.abs(figure) >= 100 ? 0 : Math.abs(figure) >= 10 ? 1 : 2
  return `${figure.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`
}

/** @param {number | undefined} ratio */
export function ratioOf(ratio) {
  if (ratio === undefined) return ''
  return ratio.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}
