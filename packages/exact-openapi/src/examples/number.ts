// Numbers of a schema, in decimal digits: doubles would miss 0.3 as a multiple of 0.1, and round an int64.
import { type Decimal, decimalOf, scaled } from '../contract/checks/numbers.ts'
import { integerRanges, isExact, type Schema } from '../model/index.ts'

/** So many on each side of the usual one. */
const NEIGHBORS = 12

type Bound = readonly [value: number | bigint, isExclusive: boolean]

/** Numbers that may fit: first 1, or what is nearest to it within the bounds. @param demands all schemas that it has to fit */
export function* numbersOf(demands: readonly Schema[]): Generator<number | bigint> {
  const isInteger = demands.some(({ type }) => type === 'integer')
  const hasDigits = demands.some(isExact)
  const [lower, upper] = boundsOf(demands)
  const steps = demands.flatMap(({ multipleOf }) => (multipleOf ? [decimalOf(multipleOf)] : []))
  const places =
    Math.max(
      0,
      ...[...lower, ...upper].map(([value]) => decimalOf(value).places),
      ...steps.map((step) => step.places),
    ) + 1
  const units = 10n ** BigInt(places)
  const inUnits = (decimal: Decimal) => scaled(decimal, places)
  const least = highest(lower.map(([value, isExclusive]) => inUnits(decimalOf(value)) + (isExclusive ? 1n : 0n)))
  const most = lowest(upper.map(([value, isExclusive]) => inUnits(decimalOf(value)) - (isExclusive ? 1n : 0n)))
  const asNumber = (value: bigint): number | bigint => {
    const number = Number(`${value}e-${places}`)
    const isRounded = value % units === 0n && !Number.isSafeInteger(number)
    return isRounded && (hasDigits || isInteger) ? value / units : number
  }
  for (const gap of isInteger ? [units] : [units, units / 2n, 1n]) {
    const step = steps.map(inUnits).reduce(leastCommonMultiple, gap)
    const nearest = ceiling(within(units, least, most), step)
    const first = most !== undefined && nearest > most ? nearest - step : nearest
    yield asNumber(first)
    for (let at = 1n; at <= NEIGHBORS; at++) {
      for (const value of [first + at * step, first - at * step]) {
        if ((least === undefined || value >= least) && (most === undefined || value <= most)) yield asNumber(value)
      }
    }
  }
}

function boundsOf(demands: readonly Schema[]): [lower: Bound[], upper: Bound[]] {
  const lower: Bound[] = []
  const upper: Bound[] = []
  for (const { minimum, maximum, exclusiveMinimum = false, exclusiveMaximum = false, format = '' } of demands) {
    if (minimum !== undefined) lower.push([minimum, exclusiveMinimum])
    if (maximum !== undefined) upper.push([maximum, exclusiveMaximum])
    const [first, last] = ranges[format] ?? []
    if (first !== undefined) lower.push([first, false])
    if (last !== undefined) upper.push([last, false])
  }
  return [lower, upper]
}

const ranges: Readonly<Record<string, readonly [least: number | bigint, most: number | bigint]>> = {
  ...integerRanges,
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
}

const highest = (values: readonly bigint[]) =>
  values.reduce((a: bigint | undefined, b) => (a === undefined || b > a ? b : a), undefined)
const lowest = (values: readonly bigint[]) =>
  values.reduce((a: bigint | undefined, b) => (a === undefined || b < a ? b : a), undefined)

function within(value: bigint, least: bigint | undefined, most: bigint | undefined): bigint {
  if (least !== undefined && value < least) return least
  return most !== undefined && value > most ? most : value
}

function ceiling(value: bigint, step: bigint): bigint {
  const rest = ((value % step) + step) % step
  return rest === 0n ? value : value + step - rest
}

function leastCommonMultiple(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other]
  while (b > 0n) [a, b] = [b, a % b]
  return (one / a) * other
}
