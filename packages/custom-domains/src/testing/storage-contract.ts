// The contract of every storage, as tests for node:test or another runner.
import assert from 'node:assert/strict'
import type { Redirect } from '../state/domain.ts'
import { snapshotOf } from '../state/records.ts'
import { ConflictError, type DomainStorage, type RecordChange, type StoredRecord } from '../state/storage.ts'

export type RunTest = (name: string, run: () => Promise<void>) => unknown

/** Opens the storage of one place; again once it was closed, or several at the same time where instances share it. */
export type OpenStorage = () => Promise<DomainStorage>

const host = 'docs.example.com'

/** Others, of which one is longer than a file name. */
const hosts = ['other.example.com', `${'a'.repeat(60)}.`.repeat(4) + host]

/** Names that a storage must tell apart and keep as they are. */
const names = [
  host,
  `${'a'.repeat(60)}.`.repeat(4),
  'https://ca.example/directory *.example.com',
  'Token-_',
  'token-_',
  'with spaces, "quotes", a/slash and \\',
  '..',
  'bücher 本',
]

const values: unknown[] = [
  'text',
  301,
  { nested: { list: [1, 'two', null, { three: true }] } },
  'x'.repeat(100_000),
  'ü本🙂\n',
]

/** @param newPlace makes an empty place */
export function testStorage(test: RunTest, newPlace: () => Promise<OpenStorage>): void {
  test('a new place is empty', async () => {
    const storage = await opened(await newPlace())
    const { isWhole, records } = await storage.load()
    assert.deepEqual([isWhole, records], [true, []])
    for (const kind of ['certificate', 'order', 'account'] as const)
      assert.equal(await storage.loadSecret(kind, host), undefined)
    await storage.close()
  })

  test('the next process loads the records that were saved, one by one and together', async () => {
    const open = await newPlace()
    const first = await opened(open)
    let { version } = await first.load()
    const save = async (...changes: RecordChange[]) => {
      version = await first.save(changes, version)
    }
    const redirect = (name: string, value?: Redirect): RecordChange => ({ kind: 'redirect', name, value })
    const primary: RecordChange = { kind: 'primary', name: '', value: host }
    const target: Redirect = { to: host, status: 308 }
    await save({ kind: 'challenge', name: host, value: 'former' })
    await save(...names.map((name) => ({ kind: 'challenge', name, value: name }) as const))
    await save(...values.map((value, index) => ({ kind: 'message', name: `msg_${index}`, value }) as const))
    await save({ kind: 'account', name: host, value: 'removed' }, { kind: 'order', name: host, value: 'removed' })
    await save({ kind: 'account', name: host, value: undefined })
    await save({ kind: 'order', name: host, value: undefined }, { kind: 'order', name: 'none', value: undefined })
    await save(
      { ...primary, value: 'former.example.com' },
      redirect('one.example.com', { to: 'former.example.com', status: 301 }),
    )
    await save(primary, redirect('one.example.com'), redirect('two.example.com', target))
    await save()
    await first.close()

    const next = await opened(open)
    const { isWhole, records } = await next.load()
    assert.equal(isWhole, true)
    assert.deepEqual(
      sorted(records),
      sorted([
        ...names.map((name) => ({ kind: 'challenge', name, value: name }) as const),
        ...values.map((value, index) => ({ kind: 'message', name: `msg_${index}`, value }) as const),
        primary,
        redirect('two.example.com', target),
      ]),
    )
    await next.close()
  })

  test('what has changed since a version leads to the same records as all of them', async () => {
    const storage = await opened(await newPlace())
    const before = await storage.load()
    const changes = names.map((name): RecordChange => ({ kind: 'account', name, value: name }))
    const version = await storage.save(changes, before.version)
    const known = await storage.load(before.version)
    const last = await storage.save([{ kind: 'account', name: host, value: undefined }], version)
    const rest = await storage.load(version)
    assert.equal(rest.version, last)
    const whole = await storage.load()
    const all = rest.isWhole ? rest.records : [...known.records, ...rest.records]
    assert.deepEqual([...snapshotOf(all).accounts].sort(), [...snapshotOf(whole.records).accounts].sort())
    assert.equal(whole.records.length, names.length - 1)
    assert.equal((await storage.load(last)).version, last)
    await storage.close()
  })

  test('private keys are replaced and deleted', async () => {
    const open = await newPlace()
    const first = await opened(open)
    const directoryUrl = 'https://ca.example/directory'
    for (const text of ['former', 'present']) {
      await first.saveSecret('certificate', host, `${text} certificate`)
      await first.saveSecret('order', host, `${text} order`)
    }
    await first.replaceSecret('certificate', host, 'former certificate', 'ignored')
    await first.replaceSecret('certificate', 'none.example.com', 'former', 'ignored')
    await first.replaceSecret('account', directoryUrl, undefined, 'account key')
    for (const name of hosts) {
      await first.saveSecret('certificate', name, `${name} certificate`)
      await first.saveSecret('order', name, `${name} order`)
    }
    await first.close()

    const next = await opened(open)
    assert.equal(await next.loadSecret('certificate', host), 'present certificate')
    assert.equal(await next.loadSecret('order', host), 'present order')
    assert.equal(await next.loadSecret('account', directoryUrl), 'account key')
    await next.replaceSecret('certificate', host, 'present certificate', 'replaced')
    assert.equal(await next.loadSecret('certificate', host), 'replaced')
    await next.replaceSecret('account', directoryUrl, undefined, 'ignored')
    assert.equal(await next.loadSecret('account', directoryUrl), 'account key')
    await next.replaceSecret('account', directoryUrl, 'account key', 'another')
    assert.equal(await next.loadSecret('account', directoryUrl), 'another')
    for (const _time of [1, 2]) await next.saveSecret('order', host, undefined)
    assert.equal(await next.loadSecret('order', host), undefined)
    for (const name of hosts) {
      assert.equal(await next.loadSecret('certificate', name), `${name} certificate`)
      assert.equal(await next.loadSecret('order', name), `${name} order`)
    }
    await next.close()
  })

  test('of two instances that change the same version, one gets a conflict', async () => {
    const open = await newPlace()
    const first = await opened(open)
    if (!first.shared) return first.close()
    const second = await opened(open)
    const versions = [(await first.load()).version, (await second.load()).version] as const
    const change = (value: string): RecordChange => ({ kind: 'account', name: host, value })
    await first.save([change('one')], versions[0])
    await assert.rejects(second.save([change('two')], versions[1]), ConflictError)
    const { version, records } = await second.load(versions[1])
    assert.deepEqual(records, [change('one')])
    await second.save([change('two')], version)
    for (const each of [first, second]) await each.close()
  })

  test('a change is acknowledged once every instance has loaded it', async () => {
    const open = await newPlace()
    const first = await opened(open)
    if (!first.shared) return first.close()
    const loaded: StoredRecord[][] = []
    const second = await opened(open, loaded)
    const change: RecordChange = { kind: 'account', name: host, value: 'one' }
    await first.save([change], (await first.load()).version)
    await first.shared.whenAcknowledged()
    assert.deepEqual(loaded.at(-1), [change])
    for (const each of [first, second]) await each.close()
  })
}

/**
 * As the leader, where instances share the storage and no other one leads.
 * @param loaded where it adds what it loads for each change of another instance
 */
async function opened(open: OpenStorage, loaded: StoredRecord[][] = []): Promise<DomainStorage> {
  const storage = await open()
  const { version } = await storage.load()
  await storage.shared?.join({
    async onChange() {
      loaded.push((await storage.load(version)).records)
    },
    onLeadership() {},
  })
  return storage
}

function sorted(records: readonly StoredRecord[]): string[] {
  return records.map(({ kind, name, value }) => JSON.stringify([kind, name, value])).sort()
}
