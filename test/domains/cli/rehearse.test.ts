import { readdir } from 'node:fs/promises'
import t from 'tap'
import { fileStorage } from '../../../packages/custom-domains/src/files/storage.ts'
import { domainOf } from '../../../packages/custom-domains/test/fixtures/domains.ts'
import { runCommand } from '../../cli/command.ts'
import { migratedDatabase } from '../../postgres/orders.ts'
import { neededEnv } from '../environment.js'
import { encryptionKey, instanceOn } from '../postgres/database.ts'

const DAY = 24 * 3_600_000
const authority = 'https://ca.test/directory'
const settings = {
  ...neededEnv,
  ACME_DIRECTORY_URL: authority,
  DASHBOARD_KEYS: `operator:${'k'.repeat(32)}`,
}

const run = (env: Record<string, string>, ...args: string[]) =>
  runCommand(['domains', 'rehearse', ...args], { ...settings, ...env })

const timeIn = (ms: number) => new Date(Date.now() + ms).toISOString()

function recordOf(host: string, left: number) {
  const [notBefore, notAfter] = [timeIn(left - 90 * DAY), timeIn(left)]
  const certificate = { authority, issuer: 'Tests', notBefore, notAfter }
  const times = { addedAt: notBefore, verifiedAt: notBefore, liveSince: notBefore, issuedAt: notBefore }
  return { kind: 'domain', name: host, value: domainOf(host, { state: 'live', ...times, certificate }) } as const
}

t.test('it tells what would expire, while a server holds the folder, and changes nothing', async (t) => {
  const DATA_DIR = `${t.testdir()}/data`
  const files = await fileStorage(DATA_DIR)
  t.teardown(files.close)
  await files.save(
    Array.from({ length: 22 }, (_, index) => recordOf(`docs.shop${index}.test`, 2 * DAY)),
    '',
  )
  const before = await readdir(DATA_DIR, { recursive: true })
  const { code, stdout } = await run({ DATA_DIR })
  t.equal(code, 0)
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`
  t.match(
    stdout,
    new RegExp(
      `^22 domains as stored at ${time}, over 30 days. Nothing was sent.\n\nIf nothing happens: No domain would expire.\n  ${authority}: \\d+ to \\d+ orders a day, the median is \\d+; 22 of 300 in three hours, 0 of 50 in a week, \\d of 5 in a week for docs`,
    ),
  )
  t.match(
    stdout,
    new RegExp(
      `five days: 22 domains would expire:\n(  docs.*test  from ${time} to ${time}\n){20}  and 2 more, which --json lists\n`,
    ),
  )
  t.match(stdout, new RegExp(`dropped: 22 domains would expire:\n  docs.*test  from ${time}\n`))
  t.strictSame(await readdir(DATA_DIR, { recursive: true }), before)
})

t.test('as JSON, from the database', async (t) => {
  const { url } = await migratedDatabase(t)
  const { load, save } = await instanceOn(t, url)
  await save([recordOf('docs.shop.test', 2 * DAY)], (await load()).version)
  const env = { DATABASE_URL: url, DOMAINS_ENCRYPTION_KEYS: encryptionKey.toString('hex') }
  const { code, stdout, stderr } = await run(env, '--json')
  t.equal(code, 0, stderr)
  t.match((await run(env)).stdout, /^1 domain as stored/)
  const { domains, rehearsals } = JSON.parse(stdout)
  t.equal(domains, 1)
  t.match(rehearsals, [
    { scenario: 'as_stored', expired: [] },
    { scenario: 'authority_away', expired: [{ domain: 'docs.shop.test' }] },
    ...['authority_changed', 'all_revoked', 'target_renamed'].map((scenario) => ({ scenario })),
  ])
})

t.test('without a configuration, it says what is missing', async (t) => {
  t.strictSame(await runCommand(['domains', 'rehearse'], {}), {
    code: 1,
    stdout: '',
    stderr: 'store-orders: custom domains are not configured: set PLATFORM_DOMAIN and the variables of the server\n',
  })
})
