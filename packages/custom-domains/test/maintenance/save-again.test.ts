import t from 'tap'
import { saveAgain } from '../../src/maintenance/save-again.ts'
import { loadDomainState } from '../../src/state/domain-state.ts'
import { fakeClock, HOUR, MINUTE } from '../fixtures/clock.ts'
import { diskOf, domainsOn, full, storageOn } from '../fixtures/disk.ts'
import { domainOf } from '../fixtures/domains.ts'

t.test('an unsaved change is saved once that is possible, and the log reports both once', async (t) => {
  const [disk, clock] = [diskOf(), fakeClock()]
  let fault = 'ENOSPC: no space left on device'
  const storage = storageOn(disk, () => {
    if (fault) throw new Error(fault)
  })
  const state = await loadDomainState(storage, domainOf)
  await state.apply(({ domains }) => domains.set('docs.shop.test', domainOf('docs.shop.test')))
  const lines: string[] = []
  const note = (details: object, message: string) => {
    const { reason } = details as { reason?: string }
    lines.push(reason ? `${message}: ${reason}` : message)
  }
  const settle = () => state.apply(() => {}).then(() => {})
  const end = saveAgain(state, clock, { info: note, warn: note, error: note })
  await settle()
  await clock.pass(HOUR, settle)
  t.strictSame(lines, [`changes to the domains cannot be saved: ${fault}`])
  fault = ''
  await clock.pass(MINUTE, settle)
  await clock.pass(HOUR, settle)
  t.strictSame(lines.slice(1), ['the domains can be changed again'])
  t.match(domainsOn(disk), [{ name: { host: 'docs.shop.test' } }])
  end()
  t.equal(clock.waiting(), 0)
})

t.test('a server that shuts down has nothing to report', async (t) => {
  const clock = fakeClock()
  const storage = storageOn(diskOf(), full)
  const state = await loadDomainState(storage, domainOf)
  await state.close()
  const end = saveAgain(state, clock, { info: t.fail, warn: t.fail, error: () => {} } as never)
  await clock.pass(HOUR, async () => {})
  end()
  t.equal(clock.waiting(), 0)
})
