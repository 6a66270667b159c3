// Runs one call of a function at a time. A caller gets the outcome of a call that began after it asked, never before.

export function singleFlight<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let queued: Promise<T> | undefined

  function start(): Promise<T> {
    queued = undefined
    const started = call().finally(() => {
      if (running === started) running = undefined
    })
    running = started
    return started
  }

  return () => {
    if (!running) return start()
    queued ??= running.then(start, start)
    return queued
  }
}
