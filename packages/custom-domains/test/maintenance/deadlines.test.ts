import t from 'tap'
import { fc, longTest, runsOf } from 'test-kit/properties'
import { withOrigin } from '../../src/certificates/certificate.ts'
import { begin, DAY, fakeClock } from '../fixtures/clock.ts'
import { certificateAt, worldOf } from '../fixtures/domains.ts'

/** When a record is wrong, in parts of the life of a certificate. */
interface Wrong {
  from: number
  for: number
}

const part = (most: number) =>
  fc.integer({ min: 1, max: Math.floor(most * 1000) }).map((thousandths) => thousandths / 1000)

/** Retries of a domain that is not live stop after 30 days, so the first certificate is issued before the record is wrong. */
const wrongDuring = (days: number): fc.Arbitrary<Wrong> =>
  fc.record({ from: part(1), for: part(Math.min(1.2, 0.25 + 28 / days)) })

const missing = { code: 'record_missing' } as const
const authority = 'https://ca.test/directory'

for (const days of [90, 47, 45, 6]) {
  const life = days * DAY
  const title = `a domain whose record has been right for a tenth of ${days} days is served with a valid certificate`
  t.test(title, longTest(), async (t) => {
    const property = fc.asyncProperty(fc.array(wrongDuring(days), { minLength: 6, maxLength: 6 }), async (windows) => {
      const clock = fakeClock()
      const hosts = new Map(windows.map((window, index) => [`docs.${index}.test`, window]))
      const elapsed = () => (clock.now().getTime() - begin.getTime()) / life
      const world = await worldOf(t, {
        clock,
        script: {
          dns({ host }) {
            const window = hosts.get(host) as Wrong
            return elapsed() >= window.from && elapsed() < window.from + window.for ? missing : undefined
          },
          async issue(host, _signal, save) {
            const issuedAt = clock.now().toISOString()
            await save({ authority, url: authority, key: 'KEY', begunAt: issuedAt })
            return withOrigin(await certificateAt(host, clock.now(), life), { authority, issuedAt })
          },
        },
      })
      for (const host of hosts.keys()) await world.registry.add(host)
      for (const host of hosts.keys()) await world.registry.verify(host)
      const ends = [...hosts].map(([host, window]) => ({ host, at: window.from + window.for + 0.1 }))
      for (const { host, at } of ends.sort((one, other) => one.at - other.at)) {
        await world.pass(Math.max(0, at - elapsed()) * life)
        const { state, certificate } = world.get(host) ?? {}
        const isValid = new Date(certificate?.notAfter ?? 0) > clock.now()
        if (state !== 'live' || !isValid) throw new Error(`${host} is ${state} until ${certificate?.notAfter}`)
      }
    })
    const { failed, counterexample, errorInstance } = await fc.check(property, {
      numRuns: runsOf(2),
      endOnFailure: true,
    })
    t.notOk(failed, `${JSON.stringify(counterexample)} ${errorInstance}`)
  })
}
