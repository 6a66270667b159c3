// The storage of one instance on a database that instances share.
import {
  ConflictError,
  type DomainStorage,
  type Loaded,
  type RecordChange,
  type SecretKind,
} from '../../src/state/storage.ts'
import { contentOf, type Database } from './database.ts'
import { membership } from './membership.ts'
import type { Owner, Scheduler } from './scheduler.ts'

export function sharedStorage(owner: Owner, db: Database, scheduler: Scheduler): DomainStorage {
  const { call } = scheduler
  let served = '0'
  const { asLeader, shared } = membership(owner, db, scheduler, () => served)
  const latest = () => db.saves.at(-1) as string

  function read(since: string | undefined): Loaded {
    const revision = since === undefined ? -1 : db.saves.indexOf(since)
    const isWhole = revision < 0
    const rows = [...db.rows.values()].filter((row) => (isWhole ? row.text !== undefined : row.revision > revision))
    const records = rows.map(({ kind, name, text }) => ({ kind, name, value: text && JSON.parse(text) }))
    return { version: latest(), isWhole, ...(isWhole && since !== undefined && { isRewound: true }), records }
  }

  function write(changes: readonly RecordChange[], over: string): string {
    db.checkSpace()
    if (over !== latest()) throw new ConflictError('another instance has saved something')
    const save = db.save(changes)
    db.contents.add(contentOf(read(undefined).records))
    db.notify(owner)
    return save
  }

  function writeSecret(kind: SecretKind, name: string, text: string | undefined) {
    db.checkSpace()
    db.setSecret(`${kind} ${name}`, text)
  }

  return {
    async load(since) {
      const loaded = await call(owner, 'load', () => read(since))
      served = loaded.version
      return loaded
    },
    async save(changes, over, isLeader = false) {
      if (changes.length === 0) return over
      const names = changes.map(({ kind, name, value }) => `${value === undefined ? 'no ' : ''}${kind} ${name}`)
      const [label, effect] = [`save ${names.join(', ')}`, () => write(changes, over)]
      served = await (isLeader ? asLeader(label, effect) : call(owner, label, effect))
      return served
    },
    loadSecret: (kind, name) => call(owner, `load ${kind} secret`, () => db.secrets.get(`${kind} ${name}`)),
    saveSecret: (kind, name, text) =>
      asLeader(`${text === undefined ? 'delete' : 'save'} ${kind} secret of ${name}`, () =>
        writeSecret(kind, name, text),
      ),
    replaceSecret: (kind, name, former, text) =>
      call(owner, `replace ${kind} secret of ${name}`, () => {
        if (db.secrets.get(`${kind} ${name}`) === former) writeSecret(kind, name, text)
      }),
    close: async () => {},
    shared,
  }
}
