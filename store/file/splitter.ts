// The interface of splitters: they frame the JSON records of an orders file as bytes arrive, buffering one at a time.

/** Given the bytes of an order, JSON or not: all of bytes[start, end); and the line on which they begin, from 1. */
export type Take = (bytes: Buffer, start: number, end: number, line: number) => void

/** Given an error in the file itself rather than in an order. */
export type Report = (line: number, message: string) => void

export interface Splitter {
  /** Keeps nothing of the chunk. False ends the reading: after such an error, nothing tells where an order begins. */
  write(chunk: Buffer): boolean
  /** To be called unless `write` returned false. @throws when there was only whitespace */
  end(): void
}

export type Split = (take: Take, report: Report) => Splitter

/** An order is buffered completely, so its size is limited; a valid one takes some 200 bytes. */
export const ORDER_MAX = 1024 * 1024

export const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
export const empty = 'the file is empty: for no orders, write [] in a .json file'
