// LISTENs for other instances' changes. Only a hint to look sooner: the tables are authoritative.
import type { Connection, Database } from './database.ts'

const RECONNECT_MS = 2_000

/** @returns a function that stops listening */
export function listenForChanges(
  database: Pick<Database, 'connect'>,
  channel: string,
  onChange: () => void,
): () => void {
  let connection: Connection | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function reconnect() {
    if (!isClosed) timer = setTimeout(listen, RECONNECT_MS).unref()
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
    clearTimeout(timer)
    if (connection) drop(connection)
  }
}
