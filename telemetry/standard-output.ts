// Standard output and standard error, so that writing to them never blocks the process.
import { constants, fstatSync, openSync } from 'node:fs'
import { isatty } from 'node:tty'

const FLAGS = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * A descriptor for a terminal or a pipe that fails with EAGAIN while nobody reads. Whether a write blocks is a property of
 * what all processes share that inherited it: a terminal's blocks, and others may change that of a pipe. Linux opens another
 * one; elsewhere, and for files and sockets, it is the given one.
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
