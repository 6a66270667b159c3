// Reads all orders once, then only those named in the change log. Every call checks the database first.
import { pageEncoded } from '../channels.ts'
import { emptyPage, type JsonPage } from '../json-page.ts'
import { type OrderPage, PAGE_SIZE } from '../page.ts'
import { PermanentError } from './faults.ts'
import type { LogFunction } from './outage.ts'
import { changesIn, type PageRow, textPage } from './page.ts'
import { emptyTable, type Pages, type PageTable, pageAt, withPages } from './page-table.ts'
import * as queries from './queries.ts'
import { queryRow, type Session } from './sessions.ts'

type ListReader = (session: Session) => Promise<readonly OrderPage[]>

/** Reading one changed order costs as much as reading this many with their pages. */
const COST_OF_CHANGE = 8
/** Pages per statement: few enough for the statement's time limit and for the event loop. */
const BATCH = 64

interface Position {
  /** The snapshot under which the pages were read. */
  snapshot: string
  /** The epoch of the log at the snapshot; null if the log does not cover it. */
  epoch: string | null
}

interface State extends Position {
  table: PageTable
  /** The last check found the snapshot unchanged: no transaction of any database of the server had committed. */
  isQuiet?: boolean
}

interface Changed extends Position {
  /** There are more changes than were asked for. */
  is_long: boolean
  /** The position of each changed order, followed by its JSON if it is listed, separated by spaces. Null without any. */
  orders: string | null
}

interface Existing extends Position {
  /** pg_class.relkind of the table. */
  kind: string
  page: number | null
}

const uncovered =
  'PostgreSQL does not log every change of the orders, so each list reads all of them: the triggers of orders or order_log are not those of migrate, or order_log or order_log_epoch is not unlogged or has row level security'

/** Calls must not overlap. */
export function listReader(log?: LogFunction): ListReader {
  let state: State | undefined
  let isReported = false

  async function changes(session: Session, known: State): Promise<State | undefined> {
    if (known.isQuiet && (await session.query(queries.isSame, [known.snapshot, known.epoch])).length > 0) return known
    const { table } = known
    const most = Math.max(1, table.listed.length) * (PAGE_SIZE / COST_OF_CHANGE)
    const changed = await queryRow<Changed>(session, queries.changesSince, [known.snapshot, most])
    const { snapshot, epoch, is_long, orders } = changed
    if (epoch === null || epoch !== known.epoch || is_long) return undefined
    const read = new Map<number, JsonPage>()
    for (const [page, changes] of changesIn(orders)) read.set(page, pageAt(table, page).with(changes))
    // Keep the newer snapshot even if nothing changed: its log is shorter, and is pruned later.
    return { snapshot, epoch, table: withPages(table, read), isQuiet: snapshot === known.snapshot }
  }

  async function everything(session: Session): Promise<State> {
    await session.query(queries.renew)
    await session.query(queries.begin)
    const existing = await session.query<Existing>(queries.existingPages)
    const { snapshot, epoch, kind } = existing[0] as Existing
    if (kind === 'p') throw new PermanentError('the table store_orders.orders must not be partitioned')
    const known = state?.table ?? emptyTable
    const removed = [...known.places.keys()].map((number) => [number, emptyPage] as const)
    const read = await readPages(
      session,
      existing.flatMap(({ page }) => page ?? []),
    )
    await session.query(queries.commit)
    // The first list after a change of the triggers reads everything, too.
    const isUncovered = epoch === null && state?.epoch === null
    if (isUncovered && !isReported) log?.('warn', uncovered)
    isReported = isUncovered
    return { snapshot, epoch, table: withPages(known, new Map([...removed, ...read])) }
  }

  return async (session) => {
    state = (state && (await changes(session, state))) ?? (await everything(session))
    return state.table.listed
  }
}

/** Requests the next batch before processing the current one. */
async function readPages(session: Session, numbers: readonly number[]): Promise<Pages> {
  const query = (at: number) => session.query<PageRow>(queries.readPages, [numbers.slice(at, at + BATCH)])
  const read = new Map<number, JsonPage>()
  let next = query(0)
  for (let at = BATCH; at < numbers.length + BATCH; at += BATCH) {
    const rows = await next
    if (at < numbers.length) next = query(at)
    for (const row of rows) {
      pageEncoded.publish('json')
      const page = textPage(row)
      page.hash() // while the database reads the next pages
      read.set(row.page, page)
    }
  }
  return read
}
