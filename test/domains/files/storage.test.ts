import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import process from 'node:process'
import t from 'tap'
import { fileStorage } from '../../../domains/files/storage.ts'
import { domainOf } from '../../fixtures/domains.ts'
import { messageOf } from '../../fixtures/message.ts'

const host = 'docs.shop.test'
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

t.test('the next process loads the saved state', async (t) => {
  const folder = `${t.testdir()}/data`
  const storage = await fileStorage({ folder })
  t.strictSame(await storage.loadState(), { domains: [] })
  t.strictSame(await storage.loadConfiguration(), { primary: undefined, redirects: new Map() })
  t.strictSame(
    [await storage.loadCertificate(host), await storage.loadAccountKey('https://ca.test')],
    [undefined, undefined],
  )
  const state = { domains: [domainOf(host)], configuration: '{}' }
  const configuration = { primary: host, redirects: new Map([['old.shop.test', 308]] as const) }
  await storage.saveState(state)
  await storage.saveConfiguration(configuration)
  await storage.saveCertificate(host, 'CERTIFICATE')
  await storage.saveAccountKey('https://ca.test', 'KEY')
  await storage.saveAccountKey('https://other.test', 'OTHER')
  await storage.close()

  const next = await fileStorage({ folder })
  t.teardown(next.close)
  t.strictSame(await next.loadState(), state)
  t.strictSame(await next.loadConfiguration(), configuration)
  t.equal(await next.loadCertificate(host), 'CERTIFICATE')
  t.equal(await next.loadAccountKey('https://ca.test'), 'KEY')
  t.equal(await next.loadAccountKey('https://other.test'), 'OTHER')
})

t.test('files and folders are for their owner alone', async (t) => {
  const folder = `${t.testdir()}/data`
  const storage = await fileStorage({ folder })
  t.teardown(storage.close)
  await storage.saveState({ domains: [] })
  await storage.saveConfiguration({ redirects: new Map() })
  await storage.saveCertificate(host, 'CERTIFICATE')
  await storage.saveAccountKey('https://ca.test', 'KEY')
  const [account] = await readdir(`${folder}/accounts`)
  for (const path of ['', 'certificates', 'accounts']) t.equal(await modeOf(`${folder}/${path}`), '700', path)
  for (const file of ['state.json', 'domains.json', `certificates/${host}.pem`, `accounts/${account}`, 'lock-1']) {
    t.equal(await modeOf(`${folder}/${file}`), '600', file)
  }
})

t.test('the configuration may stand elsewhere, and nothing else there is touched', async (t) => {
  const dir = t.testdir({ 'mine.json': '{"domains":{"primary":"docs.shop.test"}}', 'download.part': 'mine' })
  const storage = await fileStorage({ folder: `${dir}/data`, configurationFile: `${dir}/mine.json` })
  t.teardown(storage.close)
  t.equal((await storage.loadConfiguration()).primary, host)
  await storage.saveConfiguration({ primary: 'new.shop.test', redirects: new Map() })
  t.match(JSON.parse(await readFile(`${dir}/mine.json`, 'utf8')), { domains: { primary: 'new.shop.test' } })
  t.equal(await readFile(`${dir}/download.part`, 'utf8'), 'mine')
})

t.test('the temporary files of a killed process are removed at the start', async (t) => {
  const folder = t.testdir({
    'state.json': '{"domains":[]}',
    'state.json.part': '{"doma',
    certificates: { [`${host}.pem.part`]: 'CERT' },
    accounts: { 'a.pem.part': '' },
  })
  const storage = await fileStorage({ folder })
  t.teardown(storage.close)
  t.strictSame(await storage.loadState(), { domains: [] })
  t.strictSame(await readdir(folder), ['accounts', 'certificates', 'lock-1', 'state.json'])
  t.strictSame([await readdir(`${folder}/certificates`), await readdir(`${folder}/accounts`)], [[], []])
})

t.test('a file that cannot be read is refused by its name, and stays as it is', async (t) => {
  const folder = t.testdir({ 'state.json': '{"domains', 'domains.json': 'domains: none' })
  const storage = await fileStorage({ folder })
  t.teardown(storage.close)
  t.match(await messageOf(storage.loadState), `${folder}/state.json cannot be used: `)
  t.match(await messageOf(storage.loadConfiguration), `${folder}/domains.json is not JSON: `)
  await writeFile(`${folder}/state.json`, '{}')
  t.equal(await messageOf(storage.loadState), `${folder}/state.json cannot be used: it has no array of domains`)
  t.equal(await readFile(`${folder}/state.json`, 'utf8'), '{}')
  await mkdir(`${folder}/certificates/${host}.pem`)
  await t.rejects(storage.loadCertificate(host), { code: 'EISDIR' })
})

t.test('one process at a time has the folder', async (t) => {
  const folder = `${t.testdir()}/data`
  const storage = await fileStorage({ folder })
  t.match(await messageOf(() => fileStorage({ folder })), `${folder} is in use by process ${process.pid}`)
  await storage.close()
  const next = await fileStorage({ folder })
  await next.close()
})
