export const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

export const durations = 'a whole number of ms, s, m, h, d or w, like 90d'

/** @returns milliseconds, or undefined if the text is not a duration */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})(ms|[smhdw])$/.exec(text) ?? (text === '0' ? [text, '0', 's'] : [])
  return count === undefined ? undefined : Number(count) * units[unit as keyof typeof units]
}
