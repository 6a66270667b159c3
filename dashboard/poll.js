// Reads again and again, as long as the page is looked at.

/** @typedef {ReturnType<typeof startPoll>} Poll */

/** @param {(signal: AbortSignal) => Promise<number>} read Gives the milliseconds until it is to read again. */
export function startPoll(read) {
  const life = new AbortController()
  let reading = new AbortController()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** Reads now. A reading that is under way is given up: it may have begun before what the user just changed. */
  async function now() {
    if (life.signal.aborted) return
    stop()
    reading = new AbortController()
    const { signal } = reading
    const pause = await read(signal)
    if (!signal.aborted && !document.hidden) timer = setTimeout(now, pause)
  }

  function stop() {
    clearTimeout(timer)
    reading.abort()
  }

  document.addEventListener('visibilitychange', () => !document.hidden && now(), { signal: life.signal })
  life.signal.addEventListener('abort', stop)
  return { now, end: () => life.abort() }
}
