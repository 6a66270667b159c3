// Reads the list: all pages once, then what the log of changes names. Every read is verified.
import { channel } from 'node:diagnostics_channel'
import type { OrderPage } from '../page.ts'
import { type PageRow, textPage, withoutOrders } from './page.ts'
import { emptyTable, type Pages, type PageTable, pageOf, withPages } from './page-table.ts'
import * as queries from './queries.ts'
import { queryRow, type Session } from './sessions.ts'

/** For metrics. */
const pageEncoded = channel('store-orders.page-encoded')

export type ListReader = (session: Session) => Promise<readonly OrderPage[]>

/** Pages per statement: few enough for its time limit, and for the event loop. */
const BATCH = 16

interface Position {
  /** The snapshot under which the pages were read. */
  snapshot: string
  /** The token of the log that the snapshot belongs to. */
  token: string | null
}

interface State extends Position {
  table: PageTable
}

interface Change extends Position {
  /** Null where no page changed. */
  page: number | null
  /** The orders whose cancellation is all that changed in the page. */
  cancelled: string[] | null
}

/** Null if the content was not read. */
type ReadChange = Change & (PageRow | { rows: null })

/** Calls must not overlap. */
export function listReader(): ListReader {
  let state: State | undefined

  async function changesOnly(session: Session, known: State): Promise<State | undefined> {
    const now = await queryRow<{ token: string | null; changed: boolean }>(session, queries.check, [known.snapshot])
    if (now.token === null || now.token !== known.token) return undefined
    if (!now.changed) return known
    const changes = await session.query<ReadChange>(queries.changes, [known.snapshot, BATCH])
    const unread = changes.filter(({ page, cancelled, rows }) => page !== null && cancelled === null && rows === null)
    if (unread.length === 0) return apply(known, changes, pagesOf(changes.filter(isRead)))
    return inOneSnapshot(session, async () => {
      const changed = await session.query<Change>(queries.changed, [known.snapshot])
      const wanted = changed.filter(({ cancelled }) => cancelled === null).map(({ page }) => page as number)
      return apply(known, changed, await readPages(session, wanted))
    })
  }

  async function everything(session: Session): Promise<State> {
    await session.query(queries.renew)
    return inOneSnapshot(session, async () => {
      const { snapshot, token, pages } = await queryRow<Position & { pages: number }>(session, queries.extent)
      const known = state?.table ?? emptyTable
      const gone = [...known.places.keys()].map((number) => [number, undefined] as const)
      const read = await readPages(session, [...Array(pages).keys()])
      return { snapshot, token, table: withPages(known, new Map([...gone, ...read])) }
    })
  }

  return async (session) => {
    state = (state && (await changesOnly(session, state))) ?? (await everything(session))
    return state.table.listed
  }
}

async function inOneSnapshot<T>(session: Session, read: () => Promise<T>): Promise<T> {
  await session.query(queries.begin)
  const value = await read()
  await session.query(queries.commit)
  return value
}

/** While a batch is taken in, the database works on the next. */
async function readPages(session: Session, numbers: readonly number[]): Promise<Pages> {
  const query = (at: number) => session.query<PageRow>(queries.pages, [numbers.slice(at, at + BATCH)])
  const read = new Map<number, OrderPage | undefined>()
  let next = query(0)
  for (let at = BATCH; at < numbers.length + BATCH; at += BATCH) {
    const rows = await next
    if (at < numbers.length) next = query(at)
    for (const [number, page] of pagesOf(rows)) read.set(number, page)
  }
  return read
}

const isRead = (change: ReadChange): change is Change & PageRow => change.rows !== null

function pagesOf(rows: readonly PageRow[]): Pages {
  if (pageEncoded.hasSubscribers) for (const _ of rows) pageEncoded.publish('json')
  return new Map(rows.map((row) => [row.page, row.rows === '0' ? undefined : textPage(row)]))
}

/** The known state with the changes, of which the pages in `read` were read. Undefined if they do not fit to it. */
function apply({ token, table }: State, changes: readonly Change[], read: Pages): State | undefined {
  const { snapshot, token: now } = changes[0] as Change // there is one row at least
  if (now !== token) return undefined
  const pages = new Map(read)
  for (const { page: number, cancelled } of changes) {
    if (number === null || cancelled === null) continue
    const page = pageOf(table, number)
    const rest = page && withoutOrders(page, cancelled)
    if (!rest) return undefined
    pages.set(number, rest)
  }
  return { snapshot, token, table: withPages(table, pages) }
}
