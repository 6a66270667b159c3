// Reads the list: all pages once, then those in the log of changes. Every read is verified.
import type { OrderPage } from '../page.ts'
import { type PageRow, textPage } from './page.ts'
import * as queries from './queries.ts'
import { queryRow, type Session } from './sessions.ts'

export type ListReader = (session: Session) => Promise<readonly OrderPage[]>

/** Pages per statement: few enough for its time limit, and for the event loop. */
const BATCH = 16

interface State {
  /** The snapshot under which the pages were read. */
  snapshot: string
  /** The token of the log that the snapshot belongs to. */
  token: string | null
  pages: ReadonlyMap<number, OrderPage>
  listed: readonly OrderPage[]
}

interface Position {
  snapshot: string
  token: string | null
}

/** Calls must not overlap. */
export function listReader(): ListReader {
  let state: State | undefined

  async function changesOnly(session: Session, known: State): Promise<State | undefined> {
    const now = await queryRow<{ token: string | null; changed: boolean }>(session, queries.check, [known.snapshot])
    if (now.token === null || now.token !== known.token) return undefined
    if (!now.changed) return known
    const rows = await session.query<Position & PageRow>(queries.changes, [known.snapshot, BATCH + 1])
    const first = rows[0] as Position // a row without a page where none changed
    if (first.token !== known.token) return undefined
    if (rows.length <= BATCH) return apply(known, first, pagesOf(rows), known.pages)
    return inOneSnapshot(session, async () => {
      const at = await queryRow<Position & { pages: number[] }>(session, queries.changed, [known.snapshot])
      return at.token === known.token ? apply(known, at, await readPages(session, at.pages), known.pages) : undefined
    })
  }

  async function everything(session: Session): Promise<State> {
    await session.query(queries.renew)
    return inOneSnapshot(session, async () => {
      const at = await queryRow<Position & { pages: number }>(session, queries.extent)
      return apply(
        state,
        at,
        await readPages(
          session,
          Array.from({ length: at.pages }, (_, page) => page),
        ),
        new Map(),
      )
    })
  }

  return async (session) => {
    state = (state && (await changesOnly(session, state))) ?? (await everything(session))
    return state.listed
  }
}

async function inOneSnapshot<T>(session: Session, read: () => Promise<T>): Promise<T> {
  await session.query(queries.begin)
  const value = await read()
  await session.query(queries.commit)
  return value
}

/** Pages by their numbers. One without orders is undefined: it is not listed. */
type Pages = Map<number, OrderPage | undefined>

async function readPages(session: Session, pages: number[]): Promise<Pages> {
  const read: Pages = new Map()
  for (let at = 0; at < pages.length; at += BATCH) {
    const rows = await session.query<PageRow>(queries.pages, [pages.slice(at, at + BATCH)])
    for (const [page, value] of pagesOf(rows)) read.set(page, value)
  }
  return read
}

function pagesOf(rows: PageRow[]): Pages {
  return new Map(rows.map((row) => [row.page, row.rows === '0' ? undefined : textPage(row)]))
}

/** The state with `read` put over the pages `kept`. An unchanged page stays the same object. */
function apply(known: State | undefined, { snapshot, token }: Position, read: Pages, kept: State['pages']): State {
  const pages = new Map(kept)
  for (const [number, page] of read) {
    const before = known?.pages.get(number)
    if (page) pages.set(number, before?.json().equals(page.json()) ? before : page)
    else pages.delete(number)
  }
  const listed = [...pages].sort(([a], [b]) => a - b).map(([, page]) => page)
  const isSame = known?.listed.length === listed.length && listed.every((page, at) => page === known.listed[at])
  return { snapshot, token, pages, listed: isSame ? known.listed : listed }
}
