// Targets and results: one line per target.
import { comparisonsOf } from '../statistics.js'
import { figureOf, ratioOf } from './format.js'

const head = ['row', 'this server', 'beside', 'its figure', 'ratio', 'lowest to highest', 'target', 'reached']
const isRight = (column) => column === 1 || (column >= 3 && column <= 5)

/** @param {import('../run-row.js').Result[]} results @returns {string[][]} the head first */
export function tableOf(results) {
  return [head, ...results.flatMap(linesOf)]
}

function linesOf(result) {
  return comparisonsOf(result).map((comparison, index) => {
    const { unit, ours, other = '', figure, ratio, target = '', reached = '' } = comparison
    return [
      index === 0 ? result.row.title : '',
      figureOf(ours, unit),
      other,
      figureOf(figure, unit),
      ratioOf(ratio?.median),
      ratio ? `${ratioOf(ratio.lowest)} to ${ratioOf(ratio.highest)}` : '',
      target,
      reached,
    ]
  })
}

/** For a terminal. @param {string[][]} table */
export function aligned(table) {
  const widths = head.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)))
  const cell = (text, column) => (isRight(column) ? text.padStart(widths[column]) : text.padEnd(widths[column]))
  const lines = table.map((line) => line.map(cell).join('  ').trimEnd())
  return [lines[0], '-'.repeat(Math.max(...lines.map(({ length }) => length))), ...lines.slice(1)].join('\n')
}

/** For Markdown. @param {string[][]} table @param {(column: number) => boolean} [alignsRight] */
export function markdown(table, alignsRight = isRight) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const [first = [], ...rest] = table
  const rule = first.map((_, column) => (alignsRight(column) ? '--:' : '---'))
  return [first, rule, ...rest].map(line).join('\n')
}
