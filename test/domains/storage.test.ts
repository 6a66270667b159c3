// The contract of all domain storages: in files and in PostgreSQL.
import t, { type Test } from 'tap'
import { fileStorage } from '../../packages/custom-domains/src/files/storage.ts'
import { loadDomainState } from '../../packages/custom-domains/src/state/domain-state.ts'
import type { DomainStorage } from '../../packages/custom-domains/src/state/storage.ts'
import { domainOf } from '../../packages/custom-domains/test/fixtures/domains.ts'
import { instanceOn } from '../fixtures/postgres/domains.ts'
import { migratedDatabase } from '../fixtures/postgres/orders.ts'

const host = 'docs.shop.test'

/** A place whose storage can be opened again after it was closed. */
const places: Record<string, (t: Test) => Promise<() => Promise<DomainStorage>>> = {
  async files(t) {
    const folder = t.testdir()
    return () => fileStorage(folder)
  },
  async PostgreSQL(t) {
    const { url } = await migratedDatabase(t)
    return async () => {
      const { join, ...storage } = await instanceOn(t, url)
      await join()
      return storage
    }
  },
}

for (const [name, placeOf] of Object.entries(places)) {
  t.test(`${name}: a new place is empty`, async (t) => {
    const storage = await (await placeOf(t))()
    t.strictSame(await storage.loadState(), { domains: [] })
    t.strictSame(await storage.loadConfiguration(), { primary: undefined, redirects: new Map() })
    for (const kind of ['certificate', 'order', 'account'] as const) {
      t.equal(await storage.loadSecret(kind, host), undefined)
    }
    await storage.close()
  })

  t.test(`${name}: the next process loads what was saved`, async (t) => {
    const open = await placeOf(t)
    const first = await open()
    const problem = { code: 'rate_limited', detail: 'Too many.' } as const
    const holds = { 'https://ca.test': { until: '2026-01-01T01:00:00.000Z', problem } }
    const state = { domains: [domainOf(host)], challenges: { token: 'key authorization' }, holds }
    await first.loadState()
    await first.saveState({ domains: [] })
    await first.saveState(state, true)
    for (const text of ['old', 'new']) {
      await first.saveSecret('certificate', host, `${text} certificate`)
      await first.saveSecret('order', host, `${text} order`)
    }
    await first.replaceSecret('certificate', host, 'old certificate', 'ignored')
    await first.replaceSecret('certificate', 'none.shop.test', 'new', 'ignored')
    await first.replaceSecret('account', 'https://ca.test', undefined, 'account key')
    await first.saveSecret('certificate', 'other.shop.test', 'other')
    await first.close()

    const next = await open()
    t.strictSame(await next.loadState(), state)
    t.equal(await next.loadSecret('certificate', host), 'new certificate')
    t.equal(await next.loadSecret('order', host), 'new order')
    t.equal(await next.loadSecret('account', 'https://ca.test'), 'account key')
    await next.replaceSecret('certificate', host, 'new certificate', 'replaced')
    t.equal(await next.loadSecret('certificate', host), 'replaced')
    await next.replaceSecret('account', 'https://ca.test', undefined, 'ignored')
    t.equal(await next.loadSecret('account', 'https://ca.test'), 'account key')
    await next.replaceSecret('account', 'https://ca.test', 'account key', 'another')
    t.equal(await next.loadSecret('account', 'https://ca.test'), 'another')
    await next.saveSecret('order', host, undefined)
    await next.saveSecret('order', host, undefined)
    t.equal(await next.loadSecret('order', host), undefined)
    t.equal(await next.loadSecret('certificate', 'other.shop.test'), 'other')
    await next.close()
  })

  t.test(`${name}: domains, the primary one and redirects survive`, async (t) => {
    const open = await placeOf(t)
    const first = await open()
    const state = await loadDomainState(first, domainOf)
    await state.commit((draft) => {
      for (const each of [host, 'old.shop.test']) draft.domains.set(each, domainOf(each))
      draft.primary = host
      draft.redirects.set('old.shop.test', 308)
    })
    await state.asLeader().commit(({ domains }) => domains.set(host, domainOf(host, { state: 'verified' })))
    await first.close()
    const next = await open()
    t.strictSame((await loadDomainState(next, domainOf)).current(), state.current())
    await next.close()
  })
}
