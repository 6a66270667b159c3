// LISTENs for other instances' changes. Only a hint to look sooner: the tables are authoritative.
import type { Clock } from '../time.ts'
import type { Connection, Database } from './database.ts'

const RECONNECT_MS = 2_000

/** @returns a function that stops listening */
export function listenForChanges(
  database: Pick<Database, 'connect'>,
  channel: string,
  onChange: () => void,
  clock: Pick<Clock, 'after'>,
): () => void {
  let connection: Connection | undefined
  let cancelTimer = () => {}
  let isClosed = false

  function reconnect() {
    if (!isClosed) cancelTimer = clock.after(RECONNECT_MS, listen)
  }

  /** Only once: a connection that ends may report several errors. */
  function drop(broken: Connection) {
    if (connection !== broken) return
    connection = undefined
    broken.release(true)
    reconnect()
  }

  async function listen() {
    const opened = await database.connect().catch(() => undefined)
    if (!opened) return reconnect() // a server that is down
    connection = opened
    opened.on('error', () => drop(opened))
    opened.on('end', () => drop(opened))
    opened.on('notification', onChange)
    if (isClosed) return drop(opened)
    await opened.query({ text: `LISTEN ${channel}` }).then(
      onChange, // notifications may have been missed
      () => drop(opened),
    )
  }

  void listen()
  return () => {
    isClosed = true
    cancelTimer()
    if (connection) drop(connection)
  }
}
