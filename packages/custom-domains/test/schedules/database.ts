// The database that instances share, in memory: what the statements of the storage in PostgreSQL do to its tables. Leases
// end only when the schedule says so.
import { cipherOf, nameOf } from '../../src/postgres/cipher.ts'
import type { Connection, Database, Statement } from '../../src/postgres/database.ts'
import { queriesIn } from '../../src/postgres/queries.ts'
import { storageIn } from '../../src/postgres/storage.ts'
import type { RecordChange, SecretKind } from '../../src/state/storage.ts'
import { full } from '../fixtures/disk.ts'
import type { Owner, Scheduler } from './scheduler.ts'

interface Row {
  kind: string
  name: string
  revision: number
  /** JSON; undefined once it is deleted. */
  text: string | undefined
  value: unknown
}

/** What a backup has, and a standby. */
interface Content {
  /** The save that led to each revision: a revision alone is used again after a rewind. */
  saves: readonly string[]
  rows: ReadonlyMap<string, Row>
  secrets: ReadonlyMap<string, Buffer>
  leader: { holder?: Owner; hasLapsed: boolean; fence: number }
}

/** How many saves a rewind may lose. */
const MOST_LOST = 8
/** Longer than any lease. */
const LATE_MS = 60_000
const encryptionKeys = [Buffer.alloc(32, 7)]
const { decrypt } = cipherOf(encryptionKeys)
const names = new Map(Object.entries(queriesIn('"custom_domains"')).map(([name, { text }]) => [text, name]))

export function contentOf(records: readonly RecordChange[]): string {
  const lines = records.map(({ kind, name, value }) => `${kind} ${name} ${JSON.stringify(value)}`)
  return lines.sort().join('\n')
}

/** What a statement is about, without the ids of instances and saves. */
const shown = (values: readonly unknown[]) => values.flat().filter((value) => /^[a-z]+$|[.]test/.test(String(value)))

export function database(tasks: Scheduler) {
  let content: Content = { saves: ['0'], rows: new Map(), secrets: new Map(), leader: { hasLapsed: false, fence: 0 } }
  const backups: Content[] = []
  /** What the last rewind has left behind. */
  let other: Content | undefined
  let [rewinds, isFull] = [0, false]
  const members = new Map<Owner, { isLeased: boolean; served: string }>()
  const listeners = new Map<Owner, () => void>()
  const lateness = new Map<Owner, number>()
  /** What the records have been, after each save. */
  const contents = new Set([''])
  /** The secrets that a rewind has brought back. */
  const restored = new Set<string>()
  const texts = new WeakMap<Buffer, string>()
  const latest = () => content.saves.at(-1) as string

  function notify() {
    for (const [owner, onNotify] of listeners) tasks.add(owner, 'notification', onNotify)
  }

  function checkSpace() {
    if (isFull) full()
  }

  function put(over: string, save: string, ...[kinds, keys, values]: [string[], string[], (string | null)[]]) {
    checkSpace()
    if (over !== latest()) return []
    backups.push(content)
    if (backups.length > MOST_LOST) backups.shift()
    const [rows, revision] = [new Map(content.rows), content.saves.length]
    for (const [index, kind] of kinds.entries()) {
      const name = keys[index] as string
      const text = values[index] ?? undefined
      rows.set(`${kind} ${name}`, { kind, name, revision, text, value: text && JSON.parse(text) })
    }
    content = { ...content, saves: [...content.saves, save], rows }
    contents.add(contentOf([...rows.values()].filter(({ value }) => value !== undefined)))
    notify()
    return [{ revision: String(revision) }]
  }

  function putSecret(kind: string, name: string, value: Buffer | undefined) {
    checkSpace()
    const [id, secrets] = [nameOf(kind, name), new Map(content.secrets)]
    if (value) secrets.set(id, value)
    else secrets.delete(id)
    restored.delete(id)
    content = { ...content, secrets }
    return [{}]
  }

  type Save = [over: string, save: string, kinds: string[], names: string[], values: (string | null)[]]
  type Secret = [kind: string, name: string, value: Buffer]

  /** The statements of an instance, by their names. */
  function statementsOf(owner: Owner): Record<string, (values: never) => object[]> {
    const leads = (token: string) => content.leader.holder === owner && String(content.leader.fence) === token
    return {
      heartbeat([, served, , [key]]: [string, string, number, string[]]) {
        members.set(owner, { isLeased: true, served })
        const { holder, hasLapsed, fence } = content.leader
        if (!holder || holder === owner || hasLapsed)
          content = { ...content, leader: { holder: owner, hasLapsed: false, fence: fence + Number(holder !== owner) } }
        const token = content.leader.holder === owner ? String(content.leader.fence) : null
        return [{ save: latest(), server: String(rewinds), token, key }]
      },
      notify: () => [notify() ?? {}],
      instancesBehind([, save]: [string, string]) {
        const { saves } = content
        const isBehind = ([each, { isLeased, served }]: [Owner, { isLeased: boolean; served: string }]) =>
          each !== owner && isLeased && saves.indexOf(served) < saves.indexOf(save)
        const instances = [...members].filter(isBehind).length
        return [{ server: String(rewinds), kept: saves.includes(save), instances }]
      },
      load([since]: [string | null]) {
        const known = since === null ? -1 : content.saves.indexOf(since)
        const now = { revision: String(content.saves.length - 1), save: latest(), whole: known < 0 }
        const isRead = ({ text, revision }: Row) => (known < 0 ? text !== undefined : revision > known)
        const rows = [...content.rows.values()].filter(isRead)
        if (rows.length === 0) return [{ ...now, kind: null }]
        return rows.map(({ kind, name, text }) => ({ ...now, kind, name, value: JSON.parse(text ?? 'null') }))
      },
      save: ([, , ...save]: [string, null, ...Save]) => put(...save),
      saveAsLeader: ([, token, ...save]: [string, string, ...Save]) => (leads(token) ? put(...save) : []),
      saveOutcome([, token, save]: [string, string, string]) {
        const revision = content.saves.indexOf(save)
        return [{ revision: revision < 0 ? null : String(revision), leads: leads(token) }]
      },
      loadSecret([kind, name]: Secret) {
        const value = content.secrets.get(nameOf(kind, name))
        return value ? [{ value }] : []
      },
      createSecret: (secret: Secret) => (content.secrets.has(nameOf(secret[0], secret[1])) ? [] : putSecret(...secret)),
      exchangeSecret: ([kind, name, value, former]: [...Secret, former: Buffer]) =>
        content.secrets.get(nameOf(kind, name))?.equals(former) ? putSecret(kind, name, value) : [],
      saveSecretAsLeader: ([, token, ...secret]: [string, string, ...Secret]) =>
        leads(token) ? putSecret(...secret) : [],
      deleteSecretAsLeader: ([, token, kind, name]: [string, string, string, string]) =>
        leads(token) ? putSecret(kind, name, undefined) : [],
      unreadable: () => [],
      encryptedOtherwise: () => [],
    }
  }

  function connectionsOf(owner: Owner): Database {
    const statements = statementsOf(owner)
    async function query({ text, values = [] }: Statement) {
      const name = names.get(text) as string
      const rows = () => ({ rows: (statements[name] as (values: unknown[]) => object[])(values) })
      return tasks.call(owner, [name, ...shown(values)].join(' '), rows)
    }
    const connect = async (): Promise<Connection> => ({
      query: () => tasks.call(owner, 'LISTEN', () => ({ rows: [] })),
      on: (event, listener) => event === 'notification' && listeners.set(owner, listener),
      release() {},
    })
    return { query, connect }
  }

  return {
    contents,
    restored,
    get rows() {
      return content.rows
    },
    get leader() {
      return content.leader
    },
    /** That of an instance. */
    storageOf(owner: Owner) {
      const clock = tasks.clockOf(owner)
      const sleep = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))
      const late = { ...clock, elapsed: () => clock.elapsed() + (lateness.get(owner) ?? 0), sleep }
      return storageIn(connectionsOf(owner), { encryptionKeys }, late)
    },
    fill(full: boolean) {
      isFull = full
    },
    /** Loses the latest saves, or, without a number, returns to what the last rewind has left behind. */
    rewind(lost: number | undefined) {
      const next = lost === undefined ? other : backups.at(-lost)
      if (!next) return
      other = content
      for (const [id, value] of next.secrets) if (content.secrets.get(id) !== value) restored.add(id)
      backups.length = 0
      rewinds++
      content = { ...next, leader: { ...next.leader, hasLapsed: true } }
    },
    valueOf: (kind: string, name: string): unknown => content.rows.get(`${kind} ${name}`)?.value,
    has: (kind: string, name: string) => content.rows.get(`${kind} ${name}`)?.text !== undefined,
    secretOf(kind: SecretKind, name: string): string | undefined {
      const id = nameOf(kind, name)
      const value = content.secrets.get(id)
      if (!value) return undefined
      const text = texts.get(value) ?? decrypt(value, id)
      texts.set(value, text)
      return text
    },
    /** The leases of an instance end: it was killed, or is late. */
    lapse(owner: Owner) {
      const member = members.get(owner)
      if (member) member.isLeased = false
      lateness.set(owner, (lateness.get(owner) ?? 0) + LATE_MS)
      if (content.leader.holder === owner) content = { ...content, leader: { ...content.leader, hasLapsed: true } }
      notify()
    },
  }
}
