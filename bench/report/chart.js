// bench/results.svg: requests per second from 10 to 1,000,000 orders, on logarithmic scales.
import { spreadOf } from '../statistics.js'

/** @typedef {{ name: string, points: { orders: number, perSecond: number, lowest: number, highest: number }[] }} Line */

const [width, height] = [860, 500]
const plot = { left: 80, right: 610, top: 64, bottom: 440 }
const LABEL_GAP = 20
/** Mid-tones, visible on white and on near-black. */
const colors = ['#e5484d', '#3e82f7', '#8e6bf0', '#6f7780', '#2a9d63', '#b7791f', '#0f9aa8', '#c2559d', '#7a8f1f']

/** @param {import('../run-row.js').Result[]} results */
export function chart(results) {
  const lines = linesOf(results.filter(({ row }) => row.isGrowth))
  const orders = lines[0]?.points.map((point) => point.orders) ?? []
  const highest = Math.max(...lines.flatMap(({ points }) => points.map((point) => point.highest)))
  const lowest = Math.min(...lines.flatMap(({ points }) => points.map((point) => point.lowest)))
  const decades = range(Math.floor(Math.log10(lowest)), Math.ceil(Math.log10(highest)))
  const x = scale([orders[0], orders.at(-1)], [plot.left, plot.right])
  const y = scale([10 ** decades[0], 10 ** decades.at(-1)], [plot.bottom, plot.top])
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    style,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text class="title" id="title" x="20" y="32">GET all orders: requests a second, on one core: median and range of the rounds</text>`,
    ...decades.map((power) => rule(y(10 ** power), 10 ** power)),
    ...orders.map((count) => column(x(count), count)),
    `<text x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 46}" text-anchor="middle">orders in the store</text>`,
    ...lines.map(({ points }, index) => curve(points, x, y, index)).reverse(),
    ...labels(lines, x, y),
    '</svg>\n',
  ].join('\n')
}

/** @returns {Line[]} this server first */
function linesOf(results) {
  return results[0].figures.map(({ name }) => ({
    name,
    points: results.flatMap(({ row, figures }) => {
      const figure = figures.find((figure) => figure.name === name)
      if (!figure) return []
      const { median: perSecond, lowest, highest } = spreadOf(figure.values)
      return [{ orders: row.orders, perSecond, lowest, highest }]
    }),
  }))
}

const style = `<style>
  .paper { fill: #ffffff } text { fill: #24292f; font: 13px system-ui, sans-serif }
  .title { font-size: 16px; font-weight: 600 } .grid { stroke: #24292f; stroke-opacity: 0.13 }
  .curve { fill: none; stroke-width: 2; stroke-linejoin: round } .ours { stroke-width: 4; font-weight: 700 }
  .range { stroke-width: 7; stroke-opacity: 0.3 }
  .leader { stroke-opacity: 0.5 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } text { fill: #e6edf3 } .grid { stroke: #e6edf3; stroke-opacity: 0.16 }
  }
</style>`

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
const round = (number) => Math.round(number * 10) / 10

function scale([from, to], [start, end]) {
  const span = Math.log10(to) - Math.log10(from)
  return (value) => round(start + ((Math.log10(value) - Math.log10(from)) / span) * (end - start))
}

function rule(y, value) {
  const label = `<text x="${plot.left - 10}" y="${y + 4}" text-anchor="end">${value.toLocaleString('en')}</text>`
  return `<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${y}" y2="${y}"/>${label}`
}

function column(x, count) {
  const label = `<text x="${x}" y="${plot.bottom + 24}" text-anchor="middle">${count.toLocaleString('en')}</text>`
  return `<line class="grid" x1="${x}" x2="${x}" y1="${plot.top}" y2="${plot.bottom}"/>${label}`
}

function curve(points, x, y, index) {
  const [color, of] = [colors[index], index === 0 ? 'curve ours' : 'curve']
  const path = points.map(({ orders, perSecond }) => `${x(orders)},${y(perSecond)}`).join(' ')
  const dots = points.map(({ orders, perSecond }) => {
    return `<circle cx="${x(orders)}" cy="${y(perSecond)}" r="${index === 0 ? 5 : 3}" fill="${color}"/>`
  })
  const ranges = points.map(({ orders, lowest, highest }) => {
    const at = x(orders)
    return `<line class="range" stroke="${color}" x1="${at}" x2="${at}" y1="${y(lowest)}" y2="${y(highest)}"/>`
  })
  return `<polyline class="${of}" stroke="${color}" points="${path}"/>${ranges.join('')}${dots.join('')}`
}

/** At the right, each as close to the end of its curve as the others allow. */
function labels(lines, x, y) {
  const ends = lines.map(({ name, points }, index) => ({
    name,
    index,
    x: x(points.at(-1).orders),
    y: y(points.at(-1).perSecond),
  }))
  ends.sort((a, b) => a.y - b.y)
  const last = plot.bottom - (ends.length - 1) * LABEL_GAP
  let next = plot.top
  return ends.map(({ name, index, x: endX, y: endY }, rank) => {
    const at = Math.min(Math.max(endY, next), last + rank * LABEL_GAP)
    next = at + LABEL_GAP
    const leader = `<line class="leader" stroke="${colors[index]}" x1="${endX + 6}" y1="${endY}" x2="${plot.right + 36}" y2="${at}"/>`
    return `${leader}<text class="${index === 0 ? 'ours' : ''}" x="${plot.right + 42}" y="${at + 4}">${name}</text>`
  })
}
