// Whoever a domain belongs to, another owner does not get it because its stored record was damaged.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { proofToken } from '../../src/dns/proof.ts'
import { fileStorage } from '../../src/files/storage.ts'
import type { Domain } from '../../src/state/domain.ts'
import { platform, publish } from '../fixtures/publish.ts'

const { cnameTarget: target } = platform
/** One is too long for the name of its file. */
const hosts = ['docs.victim.test', `${`${'a'.repeat(54)}.`.repeat(4)}shop.test`]
const owner = { owner: 'one', target: 'customers.example', isProofRequired: true, data: { plan: 'pro' } }
const ways = {
  'a wrong state': (text: string) => text.replace('"state":"added"', '"state":"alive"'),
  'a wrong owner': (text: string) =>
    text.replace('"owner":"one"', '"owner":{}').replace('"attempts":0', '"attempts":"0"'),
  'no object': (text: string) => text.slice(0, 40),
}

/** Their domains, published again after a change of their stored texts. */
async function publishDamaged(t: Test, change: (text: string) => string) {
  const folder = t.testdir()
  const before = await publish(t, { storage: await fileStorage(folder) })
  for (const host of hosts) await before.registry.add(host, owner)
  await before.close()
  const names = await readdir(`${folder}/records/domain`, { recursive: true })
  const files = names.filter((name) => name.endsWith('.json')).map((name) => `${folder}/records/domain/${name}`)
  for (const file of files) await writeFile(file, change(await readFile(file, 'utf8')))
  return publish(t, { storage: await fileStorage(folder) })
}

for (const [way, change] of Object.entries(ways)) {
  t.test(way, async (t) => {
    const { registry, zone } = await publishDamaged(t, change)
    t.equal(registry.damaged().length, hosts.length)
    for (const host of hosts) {
      const found = registry.find(host)
      if (way === 'a wrong state') {
        t.match(found, { owner: 'one', data: owner.data, problem: { code: 'record_damaged' }, proof: Object })
        t.equal(registry.list({ owner: 'one' }).count, hosts.length)
      }
      // Whether the former owner had proven the ownership cannot be read: then no proof decides.
      if (way === 'no object')
        zone[`_custom-domains.${host}`] = { TXT: ['one', 'two'].map((owner) => proofToken(target, host, owner)) }
      for (const claim of [{ owner: 'two' }, { owner: 'two', isProofRequired: true }, owner]) {
        const error = await registry.add(host, claim).catch((error) => error)
        t.match(error, { name: 'DomainError', code: 'domain_exists' }, `${host} ${JSON.stringify(claim)}`)
      }
      t.strictSame(registry.find(host), found)
    }
  })
}

t.test('what is left of an owner who has not proven the ownership gives way as before', async (t) => {
  const [host = ''] = hosts
  const { registry, zone } = await publishDamaged(t, ways['a wrong state'])
  const claim = { owner: 'two', isProofRequired: true }
  const { proof } = await registry.add(host, claim).catch((error) => error)
  zone[`_custom-domains.${host}`] = { TXT: [proof.value] }
  t.match(await registry.add(host, claim), { owner: 'two' } satisfies Partial<Domain>)
})
