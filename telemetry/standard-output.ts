// Standard output and standard error, so that writing to them never blocks the process.
import { constants, fstatSync, openSync } from 'node:fs'
import { isatty } from 'node:tty'

const FLAGS = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * A descriptor for a terminal or a pipe whose writes fail with EAGAIN while nobody reads. Whether writes block is a property of
 * the open file, which processes share by inheritance: a terminal blocks, and another process may change a pipe. Linux can open
 * the file anew. Elsewhere, and for files and sockets, this is the descriptor itself.
 */
export function openWithoutBlocking(descriptor: 1 | 2): number {
  try {
    if (!isatty(descriptor) && !fstatSync(descriptor).isFIFO()) return descriptor
    return openSync(`/proc/self/fd/${descriptor}`, FLAGS)
  } catch {
    /* c8 ignore next -- where there is no /proc, or its files may not be opened */
    return descriptor
  }
}
