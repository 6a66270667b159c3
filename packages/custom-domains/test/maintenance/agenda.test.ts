import assert from 'node:assert/strict'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { agendaFrom } from '../../src/maintenance/agenda.ts'
import type { Domain } from '../../src/state/domain.ts'
import { copyOf } from '../../src/state/layered-map.ts'
import { begin, DAY, HOUR } from '../fixtures/clock.ts'
import { domainOf } from '../fixtures/domains.ts'

const host = fc.nat(30).map((index) => `docs${index}.shop.test`)
const at = (ms: number) => new Date(begin.getTime() + ms)

/** Several are due at the same time, some of them for a window that ends within a day of the last certificate. */
const certified = (host: string, hours: number, now: number): Domain =>
  domainOf(host, {
    state: 'live',
    verifiedAt: begin.toISOString(),
    issuedAt: at(now).toISOString(),
    certificate: {
      issuer: 'Tests',
      notBefore: begin.toISOString(),
      notAfter: at(90 * DAY).toISOString(),
      renewal: { start: '', end: at((hours + 1) * HOUR).toISOString(), at: at(hours * HOUR).toISOString() },
    },
  })

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('set' as const), host, hours: fc.nat(120) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), host }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('check' as const), host }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('add' as const), host }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), hours: fc.nat(30) }) },
)

t.test('once the clock was set back, live domains are checked by its time', async (t) => {
  const agenda = agendaFrom(at(20 * DAY))
  const domains = new Map([['docs.shop.test', certified('docs.shop.test', 100, 0)]])
  agenda.upcoming(domains, at(20 * DAY))
  const [next] = agenda.upcoming(domains, begin)
  t.ok(Number(next?.at) <= at(2 * DAY).getTime())
})

t.test('what is due after each change is what is due when all is computed again', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const agenda = agendaFrom(begin)
        let domains: ReadonlyMap<string, Domain> = new Map()
        let now = 0
        for (const each of steps) {
          const draft = copyOf(domains)
          const domain = 'host' in each ? draft.get(each.host) : undefined
          if (each.kind === 'set') draft.set(each.host, certified(each.host, each.hours, now))
          if (each.kind === 'add') draft.set(each.host, domainOf(each.host))
          if (each.kind === 'delete') draft.delete(each.host)
          if (each.kind === 'pass') now += each.hours * HOUR
          if (each.kind === 'check' && domain?.state === 'live')
            agenda.noteCheck(domain, { ...domain, verifiedAt: at(now).toISOString() }, at(now))
          domains = draft
          const known = agenda.upcoming(domains, at(now))
          const times = known.map(({ at }) => at)
          assert.deepEqual(
            times,
            times.toSorted((a, b) => a - b),
          )
          const again = agendaFrom(begin)
          for (const [, domain] of domains)
            if (agenda.latest(domain) !== domain) again.noteCheck(domain, agenda.latest(domain), at(now))
          const shown = (all: typeof known) => all.map(({ host, at }) => `${at} ${host}`).sort()
          assert.deepEqual(shown(known), shown(again.upcoming(domains, at(now))))
        }
      }),
      { numRuns: 200 },
    ),
  )
})
