// Reads all pages once, then only those named in the change log. Every call checks the database first.
import { pageEncoded } from '../channels.ts'
import type { OrderPage } from '../page.ts'
import { type PageRow, textPage, withoutOrders } from './page.ts'
import { emptyTable, type Pages, type PageTable, withPages } from './page-table.ts'
import * as queries from './queries.ts'
import { queryRow, type Session } from './sessions.ts'

export type ListReader = (session: Session) => Promise<readonly OrderPage[]>

/** Changed pages that the statement which finds them also reads. */
const READ_AT_ONCE = 16
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

interface Change {
  /** Null if no page changed. */
  page: number | null
  /** The cancelled orders, if the page has no other changes. */
  cancelled: string[] | null
}

interface Cancelled extends Position {
  /** The page and the id of each cancelled order; null for other changes. */
  cancelled: readonly (string | null)[]
}

/** Null if the content was not read. */
type ReadChange = Position & Change & (PageRow | { rows: null })

/** Calls must not overlap. */
export function listReader(): ListReader {
  let state: State | undefined

  async function changesOnly(session: Session, known: State): Promise<State | undefined> {
    if (known.isQuiet && (await session.query(queries.isSame, [known.snapshot, known.epoch])).length > 0) return known
    const now = await queryRow<Cancelled>(session, queries.cancelledSince, [known.snapshot])
    if (now.epoch === null || now.epoch !== known.epoch) return undefined
    // Keep the newer snapshot even if nothing changed: its log is shorter, and is pruned later.
    if (isComplete(now.cancelled)) {
      const next = apply(known, now, changesOf(now.cancelled), new Map())
      return next && { ...next, isQuiet: now.snapshot === known.snapshot }
    }
    const changesSince = (read: number) => session.query<ReadChange>(queries.changesSince, [known.snapshot, read])
    const changes = await changesSince(READ_AT_ONCE)
    const unread = changes.filter(({ page, cancelled, rows }) => page !== null && cancelled === null && rows === null)
    if (unread.length === 0) return apply(known, positionOf(changes), changes, pagesOf(changes.filter(isRead)))
    return inOneSnapshot(session, async () => {
      const changed = await changesSince(0)
      const wanted = changed.filter(({ cancelled }) => cancelled === null)
      return apply(known, positionOf(changed), changed, await readPages(session, numbersOf(wanted)))
    })
  }

  async function everything(session: Session): Promise<State> {
    await session.query(queries.renew)
    return inOneSnapshot(session, async () => {
      const existing = await session.query<Position & { page: number | null }>(queries.existingPages)
      const { snapshot, epoch } = positionOf(existing)
      const known = state?.table ?? emptyTable
      const removed = [...known.pages.keys()].map((number) => [number, undefined] as const)
      const read = await readPages(session, numbersOf(existing))
      return { snapshot, epoch, table: withPages(known, new Map([...removed, ...read])) }
    })
  }

  return async (session) => {
    state = (state && (await changesOnly(session, state))) ?? (await everything(session))
    return state.table.listed
  }
}

/** Each row has the position of its statement, which returns at least one row. */
const positionOf = (rows: readonly Position[]) => rows[0] as Position

const isComplete = (cancelled: Cancelled['cancelled']): cancelled is string[] =>
  cancelled.length <= queries.CUT_MAX && !cancelled.includes(null)

function changesOf(cancelled: readonly string[]): Change[] {
  const pages = new Map<number, string[]>()
  for (const each of cancelled) {
    const [page, id = ''] = each.split(' ')
    pages.set(Number(page), [...(pages.get(Number(page)) ?? []), id])
  }
  return [...pages].map(([page, ids]) => ({ page, cancelled: ids }))
}

const numbersOf = (rows: readonly { page: number | null }[]) => rows.flatMap(({ page }) => page ?? [])

async function inOneSnapshot<T>(session: Session, read: () => Promise<T>): Promise<T> {
  await session.query(queries.begin)
  const value = await read()
  await session.query(queries.commit)
  return value
}

/** Requests the next batch before processing the current one. */
async function readPages(session: Session, numbers: readonly number[]): Promise<Pages> {
  const query = (at: number) => session.query<PageRow>(queries.readPages, [numbers.slice(at, at + BATCH)])
  const read = new Map<number, OrderPage | undefined>()
  let next = query(0)
  for (let at = BATCH; at < numbers.length + BATCH; at += BATCH) {
    const rows = await next
    if (at < numbers.length) next = query(at)
    for (const [number, page] of pagesOf(rows)) read.set(number, page)
  }
  return read
}

const isRead = (change: ReadChange): change is ReadChange & PageRow => change.rows !== null

function pagesOf(rows: readonly PageRow[]): Pages {
  for (const _ of rows) pageEncoded.publish('json')
  return new Map(rows.map((row) => [row.page, row.rows === '0' ? undefined : textPage(row)]))
}

/** The known state with the changes; `read` has the pages that were read. Undefined if the changes do not apply to it. */
function apply(
  known: State,
  { snapshot, epoch }: Position,
  changes: readonly Change[],
  read: Pages,
): State | undefined {
  if (epoch !== known.epoch) return undefined
  const pages = new Map(read)
  for (const { page: number, cancelled } of changes) {
    if (number === null || cancelled === null) continue
    const page = known.table.pages.get(number)
    const rest = page && withoutOrders(page, cancelled)
    if (!rest) return undefined
    pages.set(number, rest)
  }
  return { snapshot, epoch, table: withPages(known.table, pages) }
}
