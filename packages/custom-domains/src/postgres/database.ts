// What the storage needs of a database: the statements of a pg.Pool, and a connection that listens.
import { StorageUnavailableError } from '../state/storage.ts'

export interface Statement {
  text: string
  values?: unknown[]
}

/** Runs a statement. A pg.Pool, pg.Client and pg.PoolClient are such. */
export interface Statements {
  query(statement: Statement): Promise<{ rows: unknown[] }>
}

/** A connection that is kept, to LISTEN. */
export interface Connection extends Statements {
  on(event: 'notification' | 'error' | 'end', listener: () => void): unknown
  /** @param isBroken closes it */
  release(isBroken?: boolean): unknown
}

/** A pg.Pool is one. */
export interface Database extends Statements {
  connect(): Promise<Connection>
  /**
   * Why only an operator can help: then loading rejects with this reason, instead of waiting. Default: by the SQLSTATE, for a
   * login, a privilege or a table that is missing.
   */
  permanentReason?(error: unknown): string | undefined
}

/** Runs a query, and returns its rows. */
export type Run = <Row>(query: { text: string }, values?: unknown[]) => Promise<Row[]>

/** Milliseconds that pg waits for the response to a statement. */
const STATEMENT_MS = 10_000
export const RETRY_AFTER_S = 2

/** A `text` of many statements takes no values. */
export const runOn =
  (database: Statements): Run =>
  async <Row>({ text }: { text: string }, values: unknown[] = []) => {
    const { rows } = await database.query({ text, values })
    return rows as Row[]
  }

/** Rejects with StorageUnavailableError alone. */
export function runUntilLate(database: Statements): Run {
  return async <Row>({ text }: { text: string }, values: unknown[] = []) => {
    const statement = { text, values, query_timeout: STATEMENT_MS }
    const { rows } = await database.query(statement).catch((cause) => {
      throw new StorageUnavailableError(cause.message || String(cause.code), RETRY_AFTER_S, { cause })
    })
    return rows as Row[]
  }
}

/** The row of a query that always has one. */
export async function rowOf<Row>(run: Run, query: { text: string }, values?: unknown[]): Promise<Row> {
  const [row] = await run<Row>(query, values)
  return row as Row
}

/** By the SQLSTATE of an error from the server. */
export function permanentReason(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message: string }
  if (code === '42P01') return `${message}. Create it with createTables`
  if (code === '42501') return `${message}. Grant it with createTables, whose option \`grant\` names the role`
  return /^(28|3D|42)[\dA-Z]{3}$/.test(String(code)) ? message : undefined
}

export interface SchemaOptions {
  /** Where the tables are. Default: `custom_domains`. */
  schema?: string | undefined
}

/** The name of the schema, in quotes. @throws TypeError */
export function schemaIn({ schema = 'custom_domains' }: SchemaOptions): string {
  if (!/^[a-z_][a-z\d_]{0,40}$/.test(schema))
    throw new TypeError(`schema must be a name of lower-case letters, digits and _, not ${JSON.stringify(schema)}`)
  return `"${schema}"`
}

/** The channel of notifications. @param schema in quotes */
export function channelIn(schema: string): string {
  return `${schema.slice(1, -1)}_domains`
}
