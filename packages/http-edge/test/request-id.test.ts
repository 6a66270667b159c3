import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { requestIds } from '../src/request-id.ts'

t.test('ids of a server are unique, and those of two servers differ', async (t) => {
  const servers = [requestIds('x-request-id'), requestIds('x-request-id')]
  const ids = servers.flatMap(({ create }) => Array.from({ length: 1000 }, create))
  t.equal(new Set(ids).size, ids.length)
  for (const { create } of servers) t.match(create(), /^[A-Za-z0-9_-]{22}-1001$/)
})

t.test('a safe id of the client is taken from the named header', async (t) => {
  const ids = requestIds('traceable')
  const idOf = (id: string) =>
    ids.of({ headers: { traceable: id, 'x-request-id': 'other' } } as unknown as IncomingMessage)
  for (const safe of ['a-1._', 'a'.repeat(64)]) t.equal(idOf(safe), safe)
  for (const unsafe of ['', 'a b', 'a"', 'a'.repeat(65)]) t.match(idOf(unsafe), /-\d+$/)
})
