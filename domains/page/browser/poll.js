// Polling, while the page is visible.

/** @typedef {ReturnType<typeof startPoll>} Poll */

/** @param {(signal: AbortSignal) => Promise<number>} read Resolves with the milliseconds until the next read. */
export function startPoll(read) {
  const life = new AbortController()
  let reading = new AbortController()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** Reads now. A pending read is aborted: it may predate the user's last change. */
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
