// What splits the bytes of an orders file into its orders as they arrive. Held is what has arrived of one order.

/** Given the bytes of an order, JSON or not: all of bytes[start, end); and the line in which they begin, from 1. */
export type Take = (bytes: Buffer, start: number, end: number, line: number) => void

/** Given a mistake in the file itself rather than in an order. */
export type Report = (line: number, message: string) => void

export interface Splitter {
  /** Keeps nothing of the chunk. Says whether to go on: after such a mistake nobody can say where the next order begins. */
  write(chunk: Buffer): boolean
  /** To be called unless `write` said that it is over. @throws when there was nothing but space */
  end(): void
}

export type Split = (take: Take, report: Report) => Splitter

/** An order is read whole, so its size has a limit; one that is right takes some 200 bytes. */
export const ORDER_MAX = 1024 * 1024

export const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
export const empty = 'the file is empty: for no orders, write [] in a .json file'
