// Runs one call at a time. Each caller gets the result of a call that started after it asked.

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
