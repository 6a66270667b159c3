import t from 'tap'
import { roleProblem, serverProblem } from '../../../store/postgres/server-facts.ts'
import { sessionSettings } from '../../../store/postgres/session-start.ts'

const good = { version: 'PostgreSQL 15.8 on x86_64', number: 150008, standby: false, read_only: 'off' }
const lacks = (name: string, what: string) => `is ${name}, which lacks ${what}: the orders need PostgreSQL 14 or newer`
const tables = 'transition tables'
const refused: [facts: object, problem: string | undefined][] = [
  [{}, undefined],
  [{ version: 'PostgreSQL 14.0', number: 140_000 }, undefined],
  [{ version: 'CockroachDB CCL v24.1.0', number: 130000 }, lacks('CockroachDB', `statement triggers with ${tables}`)],
  [{ version: 'PostgreSQL 15.2-YB-2024.1.0.0-b0 on x86_64' }, lacks('YugabyteDB', tables)],
  [{ version: 'PostgreSQL 8.0.2 on i686, Redshift 1.0', number: 80002 }, lacks('Redshift', 'triggers')],
  [{ version: 'PostgreSQL 13.9 on x86_64', number: 130009 }, 'is PostgreSQL 13.9: the orders need 14 or newer'],
  [{ standby: true, read_only: 'on' }, 'is a hot standby: name the primary, or all hosts, separated by commas'],
  [{ read_only: 'on' }, 'accepts no writes: default_transaction_read_only is on'],
]

for (const [facts, problem] of refused)
  t.test(`a server ${problem ?? 'is accepted'}`, async (t) => {
    const server = { ...good, ...facts }
    t.equal(serverProblem(server, 'a:5432') ?? roleProblem(server, 'a:5432'), problem && `a:5432 ${problem}`)
  })

t.test('settings are read from every form of options that PostgreSQL takes', async (t) => {
  const { work_mem, application_name, geqo, jit } = sessionSettings(
    0,
    String.raw`-c work_mem=1MB  --geqo=off
    -capplication_name=a\ \\b -c jit=on --work-mem=2MB`,
  )
  t.strictSame([work_mem, application_name, geqo, jit], ['2MB', 'a \\b', 'off', 'off'])
})

t.test('a statement has the time of a request, of which it waits for a lock a fifth', async (t) => {
  const times = Object.entries(sessionSettings(1_000.5, '')).filter(([name]) => name.endsWith('_timeout'))
  t.strictSame(Object.fromEntries(times), {
    statement_timeout: '1001',
    transaction_timeout: '0',
    idle_session_timeout: '0',
    idle_in_transaction_session_timeout: '1001',
    lock_timeout: '201',
  })
})
