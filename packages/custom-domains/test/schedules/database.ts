// The database of a storage that instances share: records with revisions, leases, and a leader with a fencing token.
import type { RecordChange, RecordKind } from '../../src/state/storage.ts'
import { full } from '../fixtures/disk.ts'
import type { Owner } from './scheduler.ts'

interface Row {
  kind: RecordKind
  name: string
  revision: number
  /** JSON; undefined once it is deleted. */
  text: string | undefined
}

/** An instance, as the database knows it. */
export interface Member {
  isLeased: boolean
  /** The revision that it serves. */
  served: number
  onNotify(): void
  onLapse(): void
}

export type Database = ReturnType<typeof database>

/** All records as one text. */
export function contentOf(records: readonly RecordChange[]): string {
  const lines = records.map(({ kind, name, value }) => `${kind} ${name} ${JSON.stringify(value)}`)
  return lines.sort().join('\n')
}

export function database() {
  return {
    revision: 0,
    isFull: false,
    rows: new Map<string, Row>(),
    /** What the records have been, at each revision. */
    contents: new Set(['']),
    secrets: new Map<string, string>(),
    members: new Map<Owner, Member>(),
    leader: { holder: undefined as Owner | undefined, hasLapsed: false, fence: 0 },
    /** @throws as a write to a full disk does */
    checkSpace() {
      if (this.isFull) full()
    },
    valueOf(kind: RecordKind, name: string): unknown {
      return JSON.parse(this.rows.get(`${kind} ${name}`)?.text ?? 'null') ?? undefined
    },
    has(kind: RecordKind, name: string) {
      return this.valueOf(kind, name) !== undefined
    },
    notify(by?: Owner) {
      for (const [owner, member] of this.members) if (owner !== by) member.onNotify()
    },
    /** The lease of an instance ends: it was killed, or cannot reach the database for a while. */
    lapse(owner: Owner) {
      const member = this.members.get(owner)
      if (member) member.isLeased = false
      if (this.leader.holder === owner) this.leader.hasLapsed = true
      member?.onLapse()
      this.notify()
    },
  }
}
