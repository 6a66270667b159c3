// Reads all orders once, then only those named in the change log. Every call checks the database first.
import { pageEncoded } from '../channels.ts'
import { type OrderPage, PAGE_SIZE } from '../page.ts'
import { type OrderRow, type PageRow, textPage, withOrders } from './page.ts'
import { emptyTable, type Pages, type PageTable, withPages } from './page-table.ts'
import * as queries from './queries.ts'
import type { Session } from './sessions.ts'

export type ListReader = (session: Session) => Promise<readonly OrderPage[]>

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

interface ChangedPage extends Position {
  /** There are more changes than were asked for. */
  is_long: boolean
  /** Null if none has changed. */
  page: number | null
  /** The slot of each changed order, followed by its JSON if it is listed, separated by spaces. */
  orders: string
}

/** Calls must not overlap. */
export function listReader(): ListReader {
  let state: State | undefined

  async function changes(session: Session, known: State): Promise<State | undefined> {
    if (known.isQuiet && (await session.query(queries.isSame, [known.snapshot, known.epoch])).length > 0) return known
    const { pages } = known.table
    const most = Math.max(1, pages.size) * (PAGE_SIZE / COST_OF_CHANGE)
    const changed = await session.query<ChangedPage>(queries.changesSince, [known.snapshot, most])
    const { snapshot, epoch, is_long } = changed[0] as ChangedPage
    if (epoch === null || epoch !== known.epoch || is_long) return undefined
    const read = new Map(
      changed.flatMap(({ page, orders }) =>
        page === null ? [] : [[page, withOrders(pages.get(page), ordersIn(orders))] as const],
      ),
    )
    // Keep the newer snapshot even if nothing changed: its log is shorter, and is pruned later.
    return { snapshot, epoch, table: withPages(known.table, read), isQuiet: snapshot === known.snapshot }
  }

  async function everything(session: Session): Promise<State> {
    await session.query(queries.renew)
    await session.query(queries.begin)
    const existing = await session.query<Position & { page: number | null }>(queries.existingPages)
    const { snapshot, epoch } = existing[0] as Position
    const known = state?.table ?? emptyTable
    const removed = [...known.pages.keys()].map((number) => [number, undefined] as const)
    const read = await readPages(
      session,
      existing.flatMap(({ page }) => page ?? []),
    )
    await session.query(queries.commit)
    return { snapshot, epoch, table: withPages(known, new Map([...removed, ...read])) }
  }

  return async (session) => {
    state = (state && (await changes(session, state))) ?? (await everything(session))
    return state.table.listed
  }
}

function ordersIn(text: string): OrderRow[] {
  pageEncoded.publish('json')
  return text.split(' ').map((each) => {
    const slot = Number.parseInt(each, 10)
    return { slot, json: each.slice(String(slot).length) }
  })
}

/** Requests the next batch before processing the current one. */
async function readPages(session: Session, numbers: readonly number[]): Promise<Pages> {
  const query = (at: number) => session.query<PageRow>(queries.readPages, [numbers.slice(at, at + BATCH)])
  const read = new Map<number, ReturnType<typeof textPage>>()
  let next = query(0)
  for (let at = BATCH; at < numbers.length + BATCH; at += BATCH) {
    const rows = await next
    if (at < numbers.length) next = query(at)
    for (const row of rows) {
      pageEncoded.publish('json')
      read.set(row.page, textPage(row))
    }
  }
  return read
}
