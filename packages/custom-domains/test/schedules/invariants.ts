// What holds at any time, and what holds in the end.
import assert from 'node:assert/strict'
import { certifies } from '../../src/certificates/certificate.ts'
import { decide } from '../../src/ports/routing.ts'
import type { Domain } from '../../src/state/domain.ts'
import { changesBetween, faultOf } from '../../src/state/records.ts'
import { emptySnapshot } from '../../src/state/snapshot.ts'
import { DAY, HOUR } from '../fixtures/clock.ts'
import { contentOf } from './database.ts'
import type { Users } from './users.ts'
import type { World } from './world.ts'

/** The snapshots that have been found in the storage. */
const stored = new WeakSet<object>()

export function check({ tasks, db, ca, instances, domainOf, failure }: World, { known, gone }: Users) {
  const found = failure()
  if (found) throw found
  for (const { owner, served, publishing } of instances) {
    const snapshot = served?.routing().snapshot
    if (!snapshot || stored.has(snapshot) || publishing?.registry.list({ limit: 0 }).unsaved) continue
    const isStored = db.contents.has(contentOf(changesBetween(emptySnapshot, snapshot)))
    assert.ok(isStored, `${owner.name} serves what was never stored`)
    stored.add(snapshot)
  }
  for (const host of known) {
    assert.ok(db.has('domain', host), `${host} is lost`)
    const addedAt = Date.parse(String(domainOf(host)?.addedAt))
    const {
      status,
      certificate = '',
      notAfter = 0,
    } = ca.orders.findLast((order) => order.host === host && order.at >= addedAt && !order.isForgotten) ?? {}
    const isStored = () => db.secretOf('order', host) || db.secretOf('certificate', host)?.includes(certificate)
    const isOver = new Date(notAfter) <= tasks.now()
    assert.ok(status !== 'valid' || isOver || isStored(), `the key of the certificate of ${host} is lost`)
  }
  for (const host of gone) {
    for (const { served } of instances) {
      const routing = served?.routing()
      if (!routing?.isCurrent) continue
      const { kind } = decide({ hosts: [host], url: '/', isSecure: true, serverName: host }, routing)
      assert.equal(kind, 'error', `${host} is served although it was removed`)
    }
  }
}

/** A domain whose record has been right for a day is renewed before its certificate expires. */
export function checkRenewed({ hosts, domainOf, tasks }: World) {
  for (const host of hosts()) {
    const { state, certificate } = domainOf(host) as Domain
    if (state !== 'live' || !certificate) continue
    assert.ok(new Date(certificate.notAfter) > tasks.now(), `the certificate of ${host} has expired`)
  }
}

/**
 * A domain whose record has been right for a tenth of its certificate's life is served with a valid one, but for the limits
 * on its own orders.
 */
export function checkServed({ domainOf, tasks }: World, hosts: readonly string[]) {
  for (const host of hosts) {
    const { state, certificate, problem } = domainOf(host) ?? {}
    if (!certificate || problem?.code === 'rate_limited') continue
    const isValid = state === 'live' && new Date(certificate.notAfter) > tasks.now()
    assert.ok(isValid, `${host} is not served in time: ${JSON.stringify(domainOf(host))}`)
  }
}

/** Nothing is wrong any more, and nothing runs. */
export function checkSettled(world: World) {
  checkRecords(world)
  checkDomains(world)
  checkOrders(world)
  for (const { served, publishing } of world.instances) {
    assert.ok(served?.routing().isCurrent, 'every instance is current')
    const { domains = [] } = publishing?.registry.list() ?? {}
    assert.deepEqual(
      domains.map(({ domain }) => domain).sort(),
      world.hosts().sort(),
      'every instance has every domain',
    )
  }
}

function checkRecords({ db }: World) {
  const first = db.valueOf('first', '')
  assert.ok(first === undefined || db.has('domain', String(first)), 'a domain with a role exists')
  for (const { kind, name, text } of db.rows.values()) {
    if (text === undefined) continue
    const fault = faultOf({ kind, name, value: JSON.parse(text) })
    assert.equal(fault, undefined, `the record ${kind} ${name} is readable`)
    assert.notEqual(kind, 'challenge', 'no challenge is left')
    if (kind !== 'redirect') continue
    const { to } = JSON.parse(text)
    assert.ok(db.has('domain', name) && db.has('domain', to) && !db.has('redirect', to), 'it redirects')
  }
}

function checkDomains({ db, hosts, domainOf }: World) {
  for (const host of hosts()) {
    const domain = domainOf(host) as Domain
    assert.ok(['added', 'live'].includes(domain.state), `${host} has settled: ${JSON.stringify(domain)}`)
    if (domain.state !== 'live') continue
    assert.ok(certifies(db.secretOf('certificate', host) ?? '', host), `${host} has a certificate and its key`)
    assert.ok(!db.secretOf('order', host), `${host} has no order left`)
  }
}

function checkOrders({ ca: { orders }, interruptions }: World) {
  for (const [period, limit] of [
    [HOUR, 4],
    [7 * DAY, 5],
  ] as const) {
    const known = orders.filter(({ isForgotten }) => !isForgotten)
    for (const { host, at } of known) {
      const within = known.filter((order) => order.host === host && order.at >= at && order.at < at + period)
      assert.ok(
        within.length <= limit + interruptions(),
        `${within.length} orders of ${host} in ${period / HOUR} hours`,
      )
    }
  }
}
