// A server that is killed repeatedly while it writes.
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { type Server, until } from './built.ts'
import { damagedFiles } from './damaged-files.ts'
import { leadsHere, platform } from './published.ts'

t.test('after twenty kills during writes, every file is whole and every acknowledged change is kept', async (t) => {
  const { zone, dataDir, visit, start } = await platform(t)
  zone['docs.shop.test'] = leadsHere
  const first = await start()
  await first.publish('docs.shop.test')
  await first.api('POST', '/domains', { domain: 'old.shop.test' })
  await first.api('PUT', '/domains/old.shop.test/redirect', { status: 301 })
  await first.kill()

  let wanted = [301]
  let writes = 0
  for (let round = 1; round <= 20; round += 1) {
    const server = await start()
    t.strictSame(await damagedFiles(dataDir), [], 'whole')
    const { redirect } = (await server.domain('old.shop.test')) ?? {}
    t.ok(wanted.includes(Number(redirect?.status)), `kept ${redirect?.status} of ${wanted}`)
    wanted = [Number(redirect?.status)]
    t.match(await visit('docs.shop.test'), { status: 200 })
    const writing = Promise.allSettled([
      redirectAgain(server),
      comeAndGo(server, 'new.shop.test'),
      comeAndGo(server, 'shop.test'),
    ])
    const before = writes
    await until('a write', async () => writes > before)
    await setTimeout(Math.random() * 150)
    await server.kill()
    await writing
  }
  t.ok(writes > 20, `${writes} writes were acknowledged`)

  /** Runs until the server has ended. */
  async function redirectAgain({ api }: Server) {
    for (;;) {
      for (const status of [302, 307, 308, 301]) {
        wanted = [...wanted.slice(-1), status] // the result of this one is unknown
        await api('PUT', '/domains/old.shop.test/redirect', { status })
        wanted = [status]
        writes += 1
      }
    }
  }

  async function comeAndGo({ api }: Server, domain: string) {
    for (;;) {
      await api('POST', '/domains', { domain })
      await api('DELETE', `/domains/${domain}`)
      writes += 2
    }
  }
})
