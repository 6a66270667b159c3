// The signals: those that end the process, and those that it ignores.
import { constants } from 'node:os'
import process from 'node:process'
import { isatty } from 'node:tty'

/** SIGHUP means that the terminal has closed. Without a terminal it is ignored, as nohup asks: Node resets what nohup has set. */
const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
export const ignoredHangup = hasTerminal ? [] : (['SIGHUP'] as const)
const stopSignals = ['SIGTERM', 'SIGINT', ...(hasTerminal ? (['SIGHUP'] as const) : [])] as const
/** By default, SIGUSR1 opens Node's debugger, and the others end the process. */
const ignoredSignals = ['SIGUSR1', 'SIGUSR2', ...ignoredHangup] as const

let endEarlyStop: (() => void) | undefined

/**
 * Until startup has finished, a signal ends the process at once. Only the first call counts: the command serve makes it before
 * it loads the server, which takes a second, as PID 1 would ignore signals until then.
 * @returns a function that removes these handlers. Call it only after others exist: without any handler, a signal that has
 *   arrived but is not yet delivered is lost
 */
export function stopOnSignals(): () => void {
  endEarlyStop ??= handleStop()
  return endEarlyStop
}

function handleStop(): () => void {
  /** Reports the signal, then re-raises it. */
  function stop(signal: NodeJS.Signals) {
    process.stderr.write(`store-orders: stopped by ${signal} before startup finished\n`)
    // process.exit would wait for a read that is under way, which a pipe can hold up forever.
    process.kill(process.pid, signal)
    // PID 1 ignores signals without a handler.
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of stopSignals) process.once(signal, stop)
  for (const signal of ignoredSignals) process.on(signal, () => {})
  return () => {
    for (const signal of stopSignals) process.off(signal, stop)
  }
}

/** Says which signals have been ignored. */
export function reportIgnoredSignals(report: (message: string) => void): void {
  for (const signal of ignoredSignals) process.on(signal, () => report(`${signal} ignored`))
}
