// Gives each entry of a row its way of being measured, in their order.

/**
 * @param {import('../rows/index.js').Row} row
 * @param {import('../run-row.js').Contestant['measure'][]} measures
 * @returns {import('../run-row.js').Contestant[]}
 */
export function contestantsOf({ entries }, measures) {
  return entries.flatMap(({ name }, index) => {
    const measure = measures[index]
    return measure ? [{ name, measure }] : []
  })
}
