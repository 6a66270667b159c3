// Three instances that share a storage and an authority: whatever they wait for is a task of one scheduler.
import { acmeIssuer } from '../../src/acme/issuer.ts'
import { keyIdOf, originOf } from '../../src/certificates/certificate.ts'
import { dueAt } from '../../src/maintenance/schedule.ts'
import type { Served } from '../../src/ports/listeners.ts'
import { type Publishing, publishDomains } from '../../src/runtime/index.ts'
import type { Domain } from '../../src/state/domain.ts'
import { target } from '../fixtures/domains.ts'
import { authority, type Order, origin } from './authority.ts'
import { orderKeys } from './certificates.ts'
import { database } from './database.ts'
import { type Owner, scheduler } from './scheduler.ts'

export interface Instance {
  owner: Owner
  /** Once it has started. */
  publishing?: Publishing
  /** Once its ports serve the domains. */
  served?: Served
}

export type World = ReturnType<typeof startWorld>

const silent = { info() {}, warn() {}, error() {} }

/** @param life of certificates, in milliseconds */
export function startWorld(life: number) {
  const tasks = scheduler()
  const db = database(tasks)
  const keys = orderKeys()
  const ca = authority({ life, scheduler: tasks, visit, onOrder, onFinalize })
  /** The hosts without the right record. */
  const wrong = new Set<string>()
  let [started, interruptions] = [0, 0]
  let failure: unknown
  const instances = [start(), start(), start()]

  function fail(error: unknown) {
    failure ??= error
  }

  function start(): Instance {
    const owner = { name: `instance ${++started}` }
    const instance: Instance = { owner }
    publish(instance).catch(fail)
    return instance
  }

  async function publish(instance: Instance) {
    const { owner } = instance
    const looking = new Set<string>()
    instance.publishing = await publishDomains({
      storage: db.storageOf(owner),
      platform: { domain: '', cnameTarget: target },
      allow: async () => true,
      limit: 10,
      authorities: [{ directoryUrl: origin }],
      dnsServers: [],
      clock: tasks.clockOf(owner),
      random: () => 0.5,
      dns: {
        async verify({ host }, _target, signal) {
          if (looking.has(host)) fail(new Error(`${host} is verified twice at the same time`))
          looking.add(host)
          const found = () => (wrong.has(host) ? { problem: { code: 'record_missing' } as const } : {})
          return tasks.call(owner, `look up ${host}`, found, { signal }).finally(() => looking.delete(host))
        },
        hasText: async () => true,
      },
      caa: { check: async () => undefined },
      issuerAt: (options) => acmeIssuer({ ...options, openSession: ca.sessionsOf(owner), orderKeys: keys }),
    })
    const serve = (served: Served) => {
      instance.served = served
    }
    await instance.publishing.serveAt({ serve }, silent)
  }

  /** The authority reaches any instance that serves the domains: while one leads, each must know its challenges. */
  function visit({ token, isForgotten }: Order, by: Owner) {
    const reached = instances.filter(({ owner, served }) => owner === by || served?.routing().isCurrent)
    const answers = reached.map(({ served }) => served?.routing().challenges.get(token))
    if (!answers.includes(undefined)) return answers[0]
    if (db.leader.holder === by && !isForgotten) fail(new Error('an instance does not know a challenge'))
    return undefined
  }

  const domainOf = (host: string) => db.valueOf('domain', host) as Domain | undefined

  const orderOf = (host: string) => JSON.parse(db.secretOf('order', host) ?? '[]')[0] ?? {}

  /** A pending order is completed, not placed again; one whose leadership has just ended cannot know of it. */
  function onOrder(host: string, by: Owner) {
    if (db.leader.holder !== by || db.restored.has(`order ${host}`)) return
    const { url, key, begunAt } = orderOf(host)
    const { issuedAt = '' } = originOf(db.secretOf('certificate', host) ?? '')
    const { addedAt, reissueAt = '' } = domainOf(host) as Domain
    const isPending = begunAt > issuedAt && begunAt > addedAt && begunAt >= reissueAt
    if (isPending && ca.orderAt(url).status !== 'invalid' && !db.has('revoked', keyIdOf(key)))
      fail(new Error(`${host} is ordered again while an order is pending`))
  }

  function onFinalize({ host, isForgotten }: Order, request: Buffer) {
    if (isForgotten) return
    const { key } = orderOf(host)
    if (!key || !keys.request(host, key).equals(request))
      fail(new Error(`a certificate of ${host} is issued for a key that is not stored`))
  }

  const hosts = () => [...db.rows.values()].flatMap(({ kind, name, text }) => (kind === 'domain' && text ? name : []))

  /** The hosts whose domains are retried by themselves. */
  const retried = () => hosts().filter((host) => dueAt(domainOf(host) as Domain, tasks.now()) !== undefined)

  return {
    life,
    tasks,
    db,
    ca,
    wrong,
    instances,
    fail,
    domainOf,
    hosts,
    retried,
    /** Each may cost an order that is not known to have been placed. */
    interruptions: () => interruptions,
    failure: () => failure,
    fill(isFull: boolean) {
      if (isFull) interruptions++
      db.fill(isFull)
    },
    rewind(lost: number | undefined) {
      for (const order of ca.orders) order.isForgotten = true
      db.rewind(lost)
    },
    lapse(at: number) {
      interruptions++
      db.lapse((instances[at] as Instance).owner)
    },
    /** Its leases end some time later. */
    kill(at: number) {
      interruptions++
      const { owner } = instances[at] as Instance
      tasks.kill(owner)
      tasks.add({ name: 'database' }, `the leases of ${owner.name} end`, () => db.lapse(owner))
      instances[at] = start()
    },
  }
}
