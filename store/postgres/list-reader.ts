// Reads all orders once, then only those named in the change log. Every call checks the database first.
import { pageEncoded } from '../channels.ts'
import type { JsonPage } from '../json-page.ts'
import { BLOCK_SIZE, type OrderPage } from '../page.ts'
import { type PageTable, renewedTable, withChanges } from '../page-table.ts'
import { inSlices } from '../slices.ts'
import { isReadTimeout, PermanentError } from './faults.ts'
import type { LogFunction } from './outage.ts'
import { type BlockRow, changesIn, textPage } from './parse-page.ts'
import * as queries from './queries.ts'
import type { Session } from './sessions.ts'

type ListReader = (session: Session) => Promise<readonly OrderPage[]>

/**
 * If more than one order in this many has changed, all are read instead: a single statement with a time limit reads all
 * changes, and both lists are in memory. Fewer leave most pages their bytes, which the lists share.
 */
const CHANGED = 16
/** After this many timeouts in a row, there are too many changes for one statement: everything is read again. */
const MOST_TIMEOUTS = 2
const { BATCH } = queries

interface LogState {
  /** The snapshot under which the pages were read. */
  snapshot: string
  /** The epoch of the log at the snapshot; null if the log does not cover it. */
  epoch: string | null
}

interface State extends LogState {
  table: PageTable
  /** The last check found the snapshot unchanged: no transaction of any database of the server had committed. */
  isQuiet?: boolean
}

/** The first row has the snapshot and the epoch, and no block. */
interface Changed extends LogState {
  /** There are more changes than were asked for. */
  is_long: boolean
  block: number | null
  orders: string
}

interface Existing extends LogState {
  /** pg_class.relkind of the table. */
  kind: string
  block: number | null
}

const noPages = (): PageTable => []

/** Calls must not overlap. */
export function listReader(log?: LogFunction): ListReader {
  let state: State | undefined
  /** After a reading that was interrupted, there is no state, but pages to share. */
  let leftover = noPages
  let wasUncovered = false
  let isReported = false
  let timeouts = 0

  async function changes(session: Session, previous: State): Promise<State | undefined> {
    if (previous.isQuiet && (await session.query(queries.isSame, [previous.snapshot, previous.epoch])).length > 0)
      return previous
    const { table } = previous
    const listed = table.reduce((sum, { count }) => sum + count, 0)
    const most = Math.ceil(Math.max(BLOCK_SIZE, listed) / CHANGED)
    const [first, ...rows] = await session.query<Changed>(queries.changesSince, [previous.snapshot, most])
    const { snapshot, epoch, is_long } = first as Changed
    if (epoch === null || epoch !== previous.epoch || is_long) return undefined
    const replaced = await withChanges(table, blocksOf(rows))
    // Keep the newer snapshot even if nothing changed: its log is shorter, and is pruned later.
    return { snapshot, epoch, table: replaced, isQuiet: snapshot === previous.snapshot }
  }

  async function everything(session: Session): Promise<State> {
    await session.query(queries.renew)
    await session.query(queries.begin)
    await session.query(queries.lockTable)
    const existingFrom = (block: number) => session.query<Existing>(queries.existingBlocks, [block])
    let existing = await existingFrom(0)
    const { snapshot, epoch, kind } = existing[0] as Existing
    if (kind === 'p') throw new PermanentError(queries.PARTITIONED)
    const renewed = renewedTable(state?.table ?? leftover())
    state = undefined
    leftover = renewed.leftover
    for (let isLast = false; !isLast; ) {
      const numbers = existing.flatMap(({ block }) => block ?? [])
      isLast = numbers.length < queries.BLOCKS
      await readBlocks(session, numbers, renewed.add)
      if (!isLast) existing = await existingFrom((numbers.at(-1) as number) + 1)
    }
    await session.query(queries.commit)
    leftover = noPages
    // The first list after a change of the triggers reads everything, too.
    const isUncovered = epoch === null && wasUncovered
    if (isUncovered && !isReported) log?.('warn', queries.UNCOVERED)
    isReported = isUncovered
    wasUncovered = epoch === null
    return { snapshot, epoch, table: renewed.end() }
  }

  return async (session) => {
    try {
      const changed = state && timeouts < MOST_TIMEOUTS ? await changes(session, state) : undefined
      state = changed ?? (await everything(session))
      timeouts = 0
      return state.table
    } catch (error) {
      if (isReadTimeout(error)) timeouts++
      throw error
    }
  }
}

/** Each is made when it is asked for. */
function* blocksOf(rows: readonly Changed[]) {
  for (const { block, orders } of rows) yield changesIn(block as number, orders)
}

/** Requests the next batch before processing the current one. */
async function readBlocks(session: Session, numbers: readonly number[], add: (page: JsonPage) => void): Promise<void> {
  const query = (at: number) => session.query<BlockRow>(queries.readBlocks, [numbers.slice(at, at + BATCH)])
  let rows: BlockRow[] = []
  for (let at = 0; at < numbers.length || rows.length > 0; at += BATCH) {
    const encode = (row: BlockRow) => {
      pageEncoded.publish('json')
      add(textPage(row))
    }
    // The query comes first, so that the database reads the next blocks at the same time.
    const [next] = await Promise.all([at < numbers.length ? query(at) : [], inSlices(rows, encode)])
    rows = next
  }
}
