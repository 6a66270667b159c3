// The progress of reading an orders file.

/**
 * Called every 50,000 orders with the fraction of the file that has been read and the orders so far. The last call is
 * marked; it comes after a failure as well.
 */
export type Progress = (part: number, orders: number, isLast: boolean) => void

/** Keeps one line of a terminal up to date; prints nothing elsewhere. */
export function progressLine(terminal: { isTTY?: boolean; write(text: string): unknown }, file: string): Progress {
  return (part, orders, isLast) => {
    if (!terminal.isTTY) return
    terminal.write(`\rLoading ${file}: ${Math.floor(part * 100)}%, ${orders.toLocaleString('en')} orders\x1b[K`)
    if (isLast) terminal.write('\n')
  }
}
