// Splits an orders file into the JSON texts of its orders, each with the line it starts in (from 1).
import type { Readable } from 'node:stream'
import jsonc from 'jsonc-parser'

export type Take = (text: string, line: number) => void

const empty = 'the file is empty: for no orders, write [] in a .json file'

/** A mistake in the file itself rather than in one of its orders. */
export class SplitError extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/**
 * NDJSON: an order a line, read as a stream. Blank lines are skipped.
 * @throws when there is no other line
 */
export async function splitLines(source: Readable, take: Take): Promise<void> {
  let line = 0
  let isEmpty = true
  let rest = ''
  const takeLine = (text: string) => {
    line++
    if (text.trim() === '') return
    isEmpty = false
    take(text, line)
  }
  for await (const chunk of textOf(source)) {
    if (!chunk.includes('\n')) {
      rest += chunk
      continue
    }
    const texts = `${rest}${chunk}`.split('\n')
    rest = texts.pop() as string
    for (const text of texts) takeLine(text)
  }
  takeLine(rest)
  if (isEmpty) throw new Error(empty)
}

/**
 * JSON: an array of orders, read as a whole.
 * @throws when there is nothing; SplitError when it is no array, or not JSON
 */
export async function splitArray(source: Readable, take: Take): Promise<void> {
  let text = ''
  for await (const chunk of textOf(source)) text += chunk
  if (text.trim() === '') throw new Error(empty)
  if (!text.trimStart().startsWith('[')) throw new SplitError(1, 'the file must hold an array of orders')

  const pieces: { start: number; end: number; line: number }[] = []
  let depth = 0
  const begin = (offset: number, _length: number, line: number) => {
    if (depth++ === 1) pieces.push({ start: offset, end: offset, line: line + 1 })
  }
  const end = (offset: number, length: number) => {
    const last = pieces.at(-1)
    if (--depth === 1 && last) last.end = offset + length
  }
  jsonc.visit(
    text,
    {
      onObjectBegin: begin,
      onArrayBegin: begin,
      onObjectEnd: end,
      onArrayEnd: end,
      onLiteralValue: (_value, offset, length, line) => {
        if (depth === 1) pieces.push({ start: offset, end: offset + length, line: line + 1 })
      },
      onError: (code, _offset, _length, line) => {
        const words = jsonc
          .printParseErrorCode(code)
          .replace(/\B[A-Z]/g, ' $&')
          .toLowerCase()
        throw new SplitError(line + 1, `not JSON: ${words}`)
      },
    },
    { disallowComments: true },
  )
  for (const { start, end, line } of pieces) take(text.slice(start, end), line)
}

/** The stream as UTF-8 text, without a byte order mark. */
async function* textOf(source: Readable): AsyncGenerator<string> {
  let first = true
  for await (const chunk of source.setEncoding('utf8')) {
    yield first ? chunk.replace(/^\uFEFF/, '') : chunk
    first = false
  }
}
