// The types of pgpass, which has none.
declare module 'pgpass' {
  function pgpass(
    connection: { host: string; port: number; database: string; user: string },
    done: (password: string | undefined) => void,
  ): void
  export = pgpass
}
