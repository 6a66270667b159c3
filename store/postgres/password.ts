// The password for a connection: as configured, or from the password file of libpq (PGPASSFILE, or ~/.pgpass).
import type pg from 'pg'
import pgpass from 'pgpass'

export const NO_PASSWORD = 'no password is configured'

/** For pg, which calls the function only if the server requires a password. It rejects with NO_PASSWORD. */
export function passwordFor(configured: string | undefined): NonNullable<pg.ClientConfig['password']> {
  return configured ?? (fromFile as () => Promise<string>)
}

function fromFile(connection: Parameters<typeof pgpass>[0]): Promise<string> {
  return new Promise((resolve, reject) => {
    pgpass(connection, (found) => {
      if (found === undefined) reject(new Error(NO_PASSWORD))
      else resolve(found)
    })
  })
}
