import { readdir, rm, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { withOrigin } from '../../../packages/custom-domains/src/certificates/certificate.ts'
import { lockFolder } from '../../../packages/custom-domains/src/files/lock.ts'
import { fileStorage } from '../../../packages/custom-domains/src/files/storage.ts'
import { loadDomainState } from '../../../packages/custom-domains/src/state/domain-state.ts'
import { domainOf, until } from '../../../packages/custom-domains/test/fixtures/domains.ts'
import { runCommand } from '../../cli/command.ts'
import { start } from '../../fixtures/process.ts'
import { database } from '../../postgres/database.ts'
import { migratedDatabase } from '../../postgres/orders.ts'
import { encryptionKey, instanceOn } from '../postgres/database.ts'

const [host, old, removed] = ['docs.shop.test', 'old.shop.test', 'removed.shop.test']
const [letsEncrypt, own, fallback, former] = [
  'https://acme-v02.api.letsencrypt.org/directory',
  'https://own.test/directory',
  'https://fallback.test/directory',
  'https://former.test/directory',
]
const platform = { ...domainOf('docs.platform.test'), isPlatform: true as const }
const configuration = { roles: new Map([['primary', host]]), redirects: new Map([[old, { to: host, status: 308 }]]) }
const issuedAt = '2026-11-01T00:00:00.000Z'
const DOMAINS_ENCRYPTION_KEYS = encryptionKey.toString('hex')

const message = {
  id: 'msg_1',
  event: { type: 'domain.live' as const, timestamp: issuedAt, data: { domain: host, state: 'live' as const } },
  attempts: 1,
  notBefore: issuedAt,
}

const recordOf = (name: string) => ({ kind: 'domain', name, value: domainOf(name) }) as const

const run = (env: Record<string, string>) => runCommand(['domains', 'import'], env)

const imported = (text: string) => ({ code: 0, stdout: `Imported ${text}\n`, stderr: '' })
const refused = (text: string) => ({ code: 1, stdout: '', stderr: `store-orders: ${text}\n` })

/** A folder with one domain, its certificate and an account key, and a database. */
async function fixture(t: Test) {
  const folder = `${t.testdir()}/data`
  const files = await fileStorage(folder)
  await files.save([recordOf(host)], '')
  await files.saveSecret('certificate', host, 'certificate')
  await files.replaceSecret('account', letsEncrypt, undefined, 'key')
  await files.close()
  const db = await migratedDatabase(t)
  return { folder, db, env: { DATA_DIR: folder, DATABASE_URL: db.url, DOMAINS_ENCRYPTION_KEYS } }
}

t.test('after an import, a server on the database serves the domains of the folder', async (t) => {
  const dir = t.testdir()
  const [folder, configurationFile] = [`${dir}/data`, `${dir}/mine.json`]
  const files = await fileStorage(folder, { configurationFile })
  await files.save(
    [
      ...[host, old].map(recordOf),
      { kind: 'domain', name: platform.name.host, value: platform },
      { kind: 'message', name: message.id, value: message },
      { kind: 'primary', name: '', value: host },
      { kind: 'redirect', name: old, value: { to: host, status: 308 } },
    ],
    '',
  )
  const certificate = withOrigin('certificate', { authority: former, issuedAt })
  await files.saveSecret('certificate', host, certificate)
  await files.saveSecret('certificate', removed, 'removed')
  await files.saveSecret('order', old, 'order')
  for (const authority of [letsEncrypt, own, fallback, former, 'https://unknown.test'])
    await files.replaceSecret('account', authority, undefined, `key of ${authority}`)
  await files.close()
  await writeFile(`${folder}/certificates/.hidden`, '')

  const { url } = await migratedDatabase(t)
  const server = await instanceOn(t, url)
  const state = await loadDomainState(server, domainOf)
  await server.join()
  await state.commit(({ domains }) => domains.set(platform.name.host, platform))
  await server.saveSecret('order', old, 'other')
  const env = { DATA_DIR: folder, DOMAINS_FILE: configurationFile, DATABASE_URL: url, DOMAINS_ENCRYPTION_KEYS }
  t.strictSame(
    await run({ ...env, ACME_DIRECTORY_URL: own, ACME_FALLBACK_DIRECTORY_URL: fallback }),
    imported(
      '2 domains, 2 certificates, 1 pending order, 4 account keys.\nLeft in the folder: 1 account key of authorities that neither the variables nor a certificate name.',
    ),
  )
  // It led with the fence from before the import.
  await until(() => ['no longer leads', 'change'].every((event) => server.events.includes(event)))
  await state.reload()
  const { domains, outbox, ...rest } = state.current()
  t.strictSame([...domains.keys()].sort(), [platform.name.host, host, old])
  t.strictSame([...outbox.values()], [message])
  t.match(rest, configuration)
  t.equal(await server.loadSecret('certificate', host), certificate)
  t.equal(await server.loadSecret('certificate', removed), 'removed')
  t.equal(await server.loadSecret('order', old), 'order')
  for (const authority of [letsEncrypt, own, fallback, former])
    t.equal(await server.loadSecret('account', authority), `key of ${authority}`)
  await state.commit(({ redirects }) => redirects.delete(old))
  const next = await loadDomainState(await instanceOn(t, url), domainOf)
  t.match(next.current(), { roles: new Map([['primary', host]]), redirects: new Map() })
})

t.test('a folder with a damaged record is not imported', async (t) => {
  const { folder, env } = await fixture(t)
  const [file] = (await readdir(`${folder}/records`, { recursive: true })).filter((name) => name.endsWith('.json'))
  await writeFile(`${folder}/records/${file}`, '{"name":')
  t.match(await run(env), { code: 1, stderr: /store-orders: the domain docs.shop.test is damaged: / })
})

t.test('nothing is imported twice or while a server uses the folder, and the folder stays usable', async (t) => {
  const { folder, db, env } = await fixture(t)
  const lock = await lockFolder(folder)
  t.match(await run(env), { code: 1, stderr: /: .*\/data is in use by process \d+ on .*: only one server at a time/ })
  await lock.release()
  t.strictSame(await db.query('SELECT max(revision) AS revision FROM store_orders.domain_saves'), [{ revision: '0' }])
  const { ended, stdout } = start(t, 'cli/index', ['domains', 'import'], env)
  t.equal(await ended, 0)
  t.equal(stdout(), 'Imported 1 domain, 1 certificate, 1 account key.\n')
  const before = await db.query('SELECT * FROM store_orders.domain_secrets')
  t.strictSame(await run(env), refused('the database has domains already: nothing was imported'))
  t.strictSame(await db.query('SELECT * FROM store_orders.domain_secrets'), before)
  t.strictSame(await db.query('SELECT fence FROM store_orders.domain_leader'), [{ fence: '1' }])
  const files = await fileStorage(folder)
  t.equal(await files.loadSecret('certificate', host), 'certificate')
  await files.close()
})

t.test('a failed import leaves nothing and can be repeated', async (t) => {
  const { db, env } = await fixture(t)
  await db.query(`CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'could not extend file'; END $$;
    CREATE TRIGGER rejects BEFORE INSERT ON store_orders.domain_secrets FOR EACH ROW WHEN (NEW.kind = 'account')
      EXECUTE FUNCTION reject()`)
  t.strictSame(await run(env), refused('could not extend file'))
  t.strictSame(await db.query('SELECT FROM store_orders.domain_secrets'), [])
  t.strictSame(await db.query('SELECT max(revision) AS revision FROM store_orders.domain_saves'), [{ revision: '0' }])
  t.strictSame(await db.query('SELECT FROM store_orders.domain_records'), [])
  await db.query('DROP TRIGGER rejects ON store_orders.domain_secrets')
  t.strictSame(await run(env), imported('1 domain, 1 certificate, 1 account key.'))
})

t.test('a wrong folder, a wrong database and missing variables are reported', async (t) => {
  const { folder, env } = await fixture(t)
  const empty = await database(t)
  t.strictSame(
    await run({ ...env, DATABASE_URL: empty.url }),
    refused('there is no schema yet. Run: store-orders migrate'),
  )
  await rm(`${folder}/records`, { recursive: true })
  t.strictSame(await run(env), refused(`${folder} has no domains`))
  await rm(folder, { recursive: true })
  t.strictSame(await run(env), refused(`${folder} cannot be written: ENOENT: no such file or directory`))
  t.strictSame(
    await run({}),
    refused(
      'DOMAINS_ENCRYPTION_KEYS must be comma-separated keys of 64 hexadecimal digits\nDATABASE_URL must name the database, like postgres://user@host:5432/database',
    ),
  )
})
