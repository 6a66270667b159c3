// Holds what clients were told against what the database says in the end.

/**
 * @param {ReturnType<typeof import('./load.js').ledger>} book
 * @param {{ id: string, status: string }[]} rows
 * @returns {string[]} what is wrong
 */
export function judge(book, rows) {
  const wrong = [...book.violations]
  const statuses = new Map(rows.map(({ id, status }) => [Number(id), status]))
  for (const [id, { won, gone, missing, shipped }] of book.orders) {
    const status = statuses.get(id)
    if (won > 1) wrong.push(`order ${id} was cancelled ${won} times`)
    if (won + gone > 0 && status !== 'cancelled') wrong.push(`order ${id} was told to be cancelled and is ${status}`)
    if (shipped > 0 && status !== 'shipped') wrong.push(`order ${id} was told to be shipped and is ${status}`)
    if (missing > 0) wrong.push(`order ${id} stands in the database, and a client was told that it never was`)
  }
  return wrong
}
