// Targets and results: one line per target.
import { comparisonsOf } from '../statistics.js'
import { figureOf, ratioOf, verdictOf } from './format.js'

const head = ['row', 'this server', 'beside', 'its figure', 'ratio', 'target', 'reached']
const isRight = (column) => head[column] === 'this server' || head[column] === 'its figure' || head[column] === 'ratio'

/** @param {import('../run-row.js').Result[]} results @returns {string[][]} the head first */
export function tableOf(results) {
  return [head, ...results.flatMap(linesOf)]
}

function linesOf(result) {
  const { row, figures } = result
  return comparisonsOf(result).map((comparison, index) => [
    index === 0 ? row.title : '',
    index === 0 ? figureOf(figures[0].median, row.unit) : '',
    comparison.other ?? '',
    figureOf(comparison.figure, row.unit),
    ratioOf(comparison.ratio),
    comparison.target ?? '',
    verdictOf(comparison),
  ])
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
