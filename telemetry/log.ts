// The log: JSON lines on stdout, pretty ones on a terminal. Requests never wait for it.

/** Lines that are held while they cannot be written; further ones are lost. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024
/** Longer fields are cut: what a client sends, such as a path, must not fill the log. */
const MAX_FIELD_LENGTH = 2_048
const FIRST_RETRY_MS = 1
const MAX_RETRY_MS = 1_000

export type LogDestination = ReturnType<typeof logDestination>

export interface LogDestinationOptions {
  /** Writes as much as possible. @returns the number of bytes written @throws the error of write(2) */
  output(bytes: Buffer): number
  /** Called once when the log fails and once when it recovers. */
  report(message: string): void
  maxWaitingBytes?: number
  /** How long the end of the process waits for a slow reader, in milliseconds. */
  endMs?: number
}

/**
 * Lines of one iteration of the event loop are written together. pino's own destination retries in a loop that blocks
 * the process while a disk is full, and holds any number of lines for a reader that is too slow.
 */
export function logDestination(options: LogDestinationOptions) {
  const { output, report, maxWaitingBytes = MAX_WAITING_BYTES, endMs = 1_000 } = options
  let lines = ''
  let begun: Buffer = Buffer.alloc(0)
  let isScheduled = false
  let retryMs = FIRST_RETRY_MS
  let isFailing = false
  let lost = 0
  let lostInAll = 0

  function write(line: string) {
    if (begun.length + lines.length + line.length > maxWaitingBytes) {
      lost++
      lostInAll++
      fail('its reader is too slow')
      return
    }
    lines += line
    if (isScheduled) return
    isScheduled = true
    setImmediate(flush)
  }

  function flush() {
    isScheduled = false
    const code = attempt()
    if (!code) return
    if (code !== 'EAGAIN') fail(code)
    isScheduled = true
    setTimeout(flush, retryMs).unref()
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
  }

  /** @returns the error code, '' if none */
  function attempt(): string {
    try {
      while (begun.length + lines.length > 0) {
        if (begun.length === 0) {
          begun = Buffer.from(lines)
          lines = ''
        }
        begun = begun.subarray(output(begun))
      }
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code)
    }
    retryMs = FIRST_RETRY_MS
    if (isFailing) report(`writing the log again; ${countOf(lost)} lost`)
    isFailing = false
    lost = 0
    return ''
  }

  function fail(reason: string) {
    if (!isFailing) report(`cannot write the log (${reason}); continuing without it and retrying`)
    isFailing = true
  }

  /** Handles the event `exit`: makes a last attempt and reports how many lines were lost. */
  function end() {
    const deadline = Date.now() + endMs
    while (attempt() === 'EAGAIN' && Date.now() < deadline) pause(10)
    lost += `${begun}${lines}`.split('\n').length - 1
    if (lost > 0) report(`at the end of the log, ${countOf(lost)} lost`)
  }

  return {
    write,
    /** pino calls it after a fatal line. */
    flushSync: attempt,
    end,
    /** How many lines were lost since the start. */
    lost: () => lostInAll,
  }
}

const countOf = (lines: number) => (lines === 1 ? '1 line was' : `${lines} lines were`)

function pause(ms: number) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** @returns false for a silent log, which costs nothing */
export async function loggerOptions(level: string, isTerminal: boolean, destination: LogDestination) {
  if (level === 'silent') return false
  const stream = isTerminal ? await pretty(destination) : destination
  return { level, redact: ['req.headers.authorization'], formatters: { log: cutFields }, stream }
}

function cutFields(fields: Record<string, unknown>): Record<string, unknown> {
  let cut = fields
  for (const [name, value] of Object.entries(fields)) {
    const isLong = typeof value === 'string' && value.length > MAX_FIELD_LENGTH
    if (isLong) cut = { ...cut, [name]: `${value.slice(0, MAX_FIELD_LENGTH)}…` }
  }
  return cut
}

async function pretty({ write, ...destination }: LogDestination): Promise<LogDestination> {
  const { prettyFactory } = await import('pino-pretty')
  const format = prettyFactory({ ignore: 'pid,hostname', singleLine: true })
  return { ...destination, write: (line) => write(format(line)) }
}
