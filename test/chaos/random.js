// Reproducible random numbers (mulberry32).

/** @param {number} seed */
export function randomOf(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    /** A whole number below `end`. @param {number} end */
    below: (end) => Math.floor(next() * end),
  }
}
