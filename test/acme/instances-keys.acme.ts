// Three servers on one database rotate its encryption key, one after another.
import t from 'tap'
import { until } from './built.ts'
import { threeInstances } from './instances.ts'
import { leadsHere } from './published.ts'

const [docs, help] = ['docs.shop.test', 'help.shop.test']
/** The key that all instances start with, and the next one. */
const [former, next] = ['a'.repeat(64), 'b'.repeat(64)]
const reencrypted = /all private keys are now encrypted with the key (\w+)/g

t.test('every domain is served while the key is rotated, and a new one is issued', async (t) => {
  const { zone, db, orders, server, restart, serials, isServed } = await threeInstances(t)
  zone[docs] = zone[help] = leadsHere
  await server(0).publish(docs)
  await isServed(docs)
  const [serial] = await serials(docs)
  const places = [0, 1, 2]

  async function restartWith(index: number, keys: string) {
    await server(index).stop()
    const others = places.filter((place) => place !== index)
    t.strictSame(await serials(docs, others), [serial, serial], 'served by the others')
    await restart(index, { DOMAINS_ENCRYPTION_KEYS: keys })
    t.strictSame(await serials(docs), [serial, serial, serial], 'served by all')
  }
  const keysUsed = async () => {
    const used = await db.query<{ key: string }>(
      "SELECT DISTINCT encode(substring(value FROM 1 FOR 4), 'hex') AS key FROM store_orders.domain_secrets",
    )
    return used.map(({ key }) => key)
  }
  const [formerId] = await keysUsed()

  for (const index of places) await restartWith(index, `${former},${next}`)
  t.strictSame(await keysUsed(), [formerId])
  await restartWith(0, `${next},${former}`)
  await restartWith(1, `${next},${former}`)
  await server(2).publish(help)
  await isServed(help)
  await restartWith(2, `${next},${former}`)
  const nextId = await until('everything is encrypted with the new key', async () => {
    const lines = places.flatMap((index) => [...server(index).log().matchAll(reencrypted)])
    return lines.map(([, id]) => id).find((id) => id !== formerId)
  })
  t.strictSame(await keysUsed(), [nextId])
  for (const index of places) await restartWith(index, next)
  await server(1).api('DELETE', `/domains/${help}`)
  await server(0).publish(help)
  await isServed(help)
  t.equal(orders(), 2)

  await server(0).stop()
  await t.rejects(restart(0, { DOMAINS_ENCRYPTION_KEYS: former }), {
    message: /is encrypted with a key that is not in DOMAINS_ENCRYPTION_KEYS/,
  })
})
