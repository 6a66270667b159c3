// The database of a storage that instances share: records with revisions, leases, and a leader with a fencing token.
import type { RecordChange } from '../../src/state/storage.ts'
import { full } from '../fixtures/disk.ts'
import type { Owner } from './scheduler.ts'

interface Row {
  kind: string
  name: string
  revision: number
  /** JSON; undefined once it is deleted. */
  text: string | undefined
}

/** An instance, as the database knows it. */
export interface Member {
  isLeased: boolean
  /** The save that it serves. */
  served: string
  onNotify(): void
  onLapse(): void
}

export type Database = ReturnType<typeof database>

/** All records as one text. */
export function contentOf(records: readonly RecordChange[]): string {
  const lines = records.map(({ kind, name, value }) => `${kind} ${name} ${JSON.stringify(value)}`)
  return lines.sort().join('\n')
}

/** What a backup has, and a standby. */
interface Content {
  /** The save that led to each revision: a revision alone is used again after a rewind. */
  saves: readonly string[]
  rows: ReadonlyMap<string, Row>
  secrets: ReadonlyMap<string, string>
  leader: { holder: Owner | undefined; hasLapsed: boolean; fence: number }
}

/** How many saves a rewind may lose. */
const MOST_LOST = 8

export function database() {
  let saved = 0
  let content: Content = {
    saves: ['0'],
    rows: new Map(),
    secrets: new Map(),
    leader: { holder: undefined, hasLapsed: false, fence: 0 },
  }
  const backups: Content[] = []
  /** What the last rewind has left behind. */
  let other: Content | undefined

  return {
    isFull: false,
    /** What the records have been, after each save. */
    contents: new Set(['']),
    /** The secrets that a rewind has brought back. */
    restored: new Set<string>(),
    members: new Map<Owner, Member>(),
    get rows() {
      return content.rows
    },
    get secrets() {
      return content.secrets
    },
    get leader() {
      return content.leader
    },
    get saves() {
      return content.saves
    },
    setLeader(leader: Content['leader']) {
      content = { ...content, leader }
    },
    setSecret(id: string, text: string | undefined) {
      const secrets = new Map(content.secrets)
      if (text === undefined) secrets.delete(id)
      else secrets.set(id, text)
      this.restored.delete(id)
      content = { ...content, secrets }
    },
    /** @returns the new save */
    save(changes: readonly RecordChange[]): string {
      backups.push(content)
      if (backups.length > MOST_LOST) backups.shift()
      const [save, rows] = [String(++saved), new Map(content.rows)]
      for (const { kind, name, value } of changes)
        rows.set(`${kind} ${name}`, { kind, name, revision: content.saves.length, text: JSON.stringify(value) })
      content = { ...content, saves: [...content.saves, save], rows }
      return save
    },
    /** Loses the latest saves, or, without a number, returns to what the last rewind has left behind. */
    rewind(lost: number | undefined) {
      const next = lost === undefined ? other : backups.at(-lost)
      if (!next) return
      other = content
      for (const [id, text] of next.secrets) if (content.secrets.get(id) !== text) this.restored.add(id)
      backups.length = 0
      content = { ...next, leader: { ...next.leader, hasLapsed: true } }
    },
    /** @throws as a write to a full disk does */
    checkSpace() {
      if (this.isFull) full()
    },
    valueOf(kind: string, name: string): unknown {
      return JSON.parse(content.rows.get(`${kind} ${name}`)?.text ?? 'null') ?? undefined
    },
    has(kind: string, name: string) {
      return content.rows.get(`${kind} ${name}`)?.text !== undefined
    },
    notify(by?: Owner) {
      for (const [owner, member] of this.members) if (owner !== by) member.onNotify()
    },
    /** The lease of an instance ends: it was killed, or cannot reach the database for a while. */
    lapse(owner: Owner) {
      const member = this.members.get(owner)
      if (member) member.isLeased = false
      if (content.leader.holder === owner) this.setLeader({ ...content.leader, hasLapsed: true })
      member?.onLapse()
      this.notify()
    },
  }
}
