import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import process from 'node:process'
import t from 'tap'
import { messageOf } from '../../../../test/fixtures/message.ts'
import { lockFolder } from '../../src/files/lock.ts'
import { fileStorage } from '../../src/files/storage.ts'
import { domainOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

t.test('the next process loads the saved state', async (t) => {
  const folder = `${t.testdir()}/data`
  const storage = await fileStorage(folder)
  t.strictSame(await storage.loadState(), { domains: [] })
  t.strictSame(await storage.loadConfiguration(), { primary: undefined, redirects: new Map() })
  t.strictSame(
    [await storage.loadSecret('certificate', host), await storage.loadSecret('account', 'https://ca.test')],
    [undefined, undefined],
  )
  const state = { domains: [domainOf(host)], configuration: '{"domains":{}}' }
  const configuration = { primary: host, redirects: new Map([['old.shop.test', 308]] as const) }
  await storage.saveState(state)
  await storage.saveConfiguration(configuration)
  await storage.saveSecret('certificate', host, 'CERTIFICATE')
  t.equal(await storage.loadSecret('order', host), undefined)
  await storage.saveSecret('order', host, 'ORDER')
  await storage.saveSecret('order', 'old.shop.test', 'OLD')
  await storage.saveSecret('order', 'old.shop.test', undefined)
  await storage.replaceSecret('account', 'https://ca.test', undefined, 'KEY')
  await storage.replaceSecret('account', 'https://other.test', undefined, 'OTHER')
  await storage.close()

  const next = await fileStorage(folder)
  t.teardown(next.close)
  t.strictSame(await next.loadState(), state)
  t.strictSame(await next.loadConfiguration(), configuration)
  t.equal(await next.loadSecret('certificate', host), 'CERTIFICATE')
  t.equal(await next.loadSecret('order', host), 'ORDER')
  t.equal(await next.loadSecret('order', 'old.shop.test'), undefined)
  t.equal(await next.loadSecret('account', 'https://ca.test'), 'KEY')
  t.equal(await next.loadSecret('account', 'https://other.test'), 'OTHER')
})

t.test('files and folders are private to their owner', async (t) => {
  const folder = `${t.testdir()}/data`
  const storage = await fileStorage(folder)
  t.teardown(storage.close)
  await storage.saveState({ domains: [] })
  await storage.saveConfiguration({ redirects: new Map() })
  await storage.saveSecret('certificate', host, 'CERTIFICATE')
  await storage.saveSecret('order', host, 'ORDER')
  await storage.replaceSecret('account', 'https://ca.test', undefined, 'KEY')
  const [account] = await readdir(`${folder}/accounts`)
  for (const path of ['', 'certificates', 'orders', 'accounts']) t.equal(await modeOf(`${folder}/${path}`), '700', path)
  const files = [`certificates/${host}.pem`, `orders/${host}.json`, `accounts/${account}`, 'lock-1']
  for (const file of ['state.json', 'domains.json', ...files]) {
    t.equal(await modeOf(`${folder}/${file}`), '600', file)
  }
})

t.test('the configuration may be in another folder, where nothing else is touched', async (t) => {
  const dir = t.testdir({
    'mine.json': '{"domains":{"primary":"docs.shop.test"}}',
    'mine.json.3.part': '',
    'download.part': 'mine',
  })
  const storage = await fileStorage(`${dir}/data`, { configurationFile: `${dir}/mine.json` })
  t.teardown(storage.close)
  t.equal((await storage.loadConfiguration()).primary, host)
  await storage.saveConfiguration({ primary: 'new.shop.test', redirects: new Map() })
  t.match(JSON.parse(await readFile(`${dir}/mine.json`, 'utf8')), { domains: { primary: 'new.shop.test' } })
  t.equal(await readFile(`${dir}/download.part`, 'utf8'), 'mine')
  t.strictSame(await readdir(dir), ['data', 'download.part', 'mine.json'])
})

t.test('the temporary files of a killed process are removed at the start', async (t) => {
  const folder = t.testdir({
    'state.json': '{"domains":[]}',
    'state.json.part': '{"doma',
    certificates: { [`${host}.pem.part`]: 'CERT' },
    accounts: { 'a.pem.part': '' },
  })
  const storage = await fileStorage(folder)
  t.teardown(storage.close)
  t.strictSame(await storage.loadState(), { domains: [] })
  t.strictSame(await readdir(folder), ['accounts', 'certificates', 'lock-1', 'orders', 'state.json'])
  t.strictSame([await readdir(`${folder}/certificates`), await readdir(`${folder}/accounts`)], [[], []])
})

t.test('an unreadable file is named and left unchanged', async (t) => {
  const folder = t.testdir({ 'state.json': '{"domains', 'domains.json': 'domains: none' })
  const storage = await fileStorage(folder)
  t.teardown(storage.close)
  t.match(await messageOf(storage.loadState), `${folder}/state.json cannot be used: `)
  t.match(await messageOf(storage.loadConfiguration), `${folder}/domains.json is not JSON: `)
  await rm(`${folder}/state.json`)
  await mkdir(`${folder}/state.json`)
  t.match(await messageOf(storage.loadState), `${folder}/state.json cannot be used: EISDIR`)
  await rm(`${folder}/state.json`, { recursive: true })
  await writeFile(`${folder}/state.json`, '{}')
  t.equal(await messageOf(storage.loadState), `${folder}/state.json cannot be used: it has no array of domains`)
  t.equal(await readFile(`${folder}/state.json`, 'utf8'), '{}')
  await mkdir(`${folder}/certificates/${host}.pem`)
  await t.rejects(storage.loadSecret('certificate', host), { code: 'EISDIR' })
})

t.test('one process at a time holds the folder', async (t) => {
  const folder = `${t.testdir()}/data`
  const storage = await fileStorage(folder)
  t.match(await messageOf(() => fileStorage(folder)), `${folder} is in use by process ${process.pid}`)
  await storage.close()
  const next = await fileStorage(folder)
  await next.close()
})

/** A disk that is full until it has space. */
function fullDisk() {
  const disk = { isFull: true }
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  return { disk, takeLock: (folder: string) => (disk.isFull ? Promise.reject(error) : lockFolder(folder)) }
}

t.test('a full disk can be read, and is written to once it has space', async (t) => {
  const folder = t.testdir({ 'state.json': '{"domains":[]}', certificates: { [`${host}.pem`]: 'CERTIFICATE' } })
  const { disk, takeLock } = fullDisk()
  const storage = await fileStorage(folder, { takeLock: takeLock })
  t.strictSame(await storage.loadState(), { domains: [] })
  t.equal(await storage.loadSecret('certificate', host), 'CERTIFICATE')
  t.equal(
    await messageOf(() => storage.saveState({ domains: [domainOf(host)] })),
    `${folder} cannot be written: ENOSPC: no space left on device`,
  )
  await storage.close()
  disk.isFull = false
  await storage.saveState({ domains: [domainOf(host)] })
  t.match(await readFile(`${folder}/state.json`, 'utf8'), host)
  await storage.close()
})

t.test('a server that could not lock the folder at its start overwrites nothing of another', async (t) => {
  const folder = t.testdir({ 'state.json': '{"domains":[]}' })
  const { disk, takeLock } = fullDisk()
  const storage = await fileStorage(folder, { takeLock: takeLock })
  const other = await fileStorage(folder)
  await other.saveState({ domains: [domainOf(host)] })
  disk.isFull = false
  const save = () => storage.saveState({ domains: [] })
  t.match(await messageOf(save), `${folder} is in use by process ${process.pid}`)
  await other.close()
  for (const _try of [1, 2]) {
    t.equal(await messageOf(save), `another server has used ${folder} since this one read it: restart this one`)
  }
  t.match(await readFile(`${folder}/state.json`, 'utf8'), host)
})

t.test('an error other than of the disk stops the start', async (t) => {
  const folder = t.testdir({ data: '' })
  await t.rejects(fileStorage(`${folder}/data`), { code: 'EEXIST' })
})

t.test('a process that has lost the lock deletes nothing', async (t) => {
  const folder = t.testdir()
  const storage = await fileStorage(folder)
  await storage.saveSecret('order', host, 'ORDER')
  await writeFile(`${folder}/lock-2`, '')
  await t.rejects(storage.saveSecret('order', host, undefined), { message: /^another server has taken over/ })
  t.equal(await storage.loadSecret('order', host), 'ORDER')
})

t.test('if the state is damaged, the previous one is served and nothing is overwritten', async (t) => {
  const folder = t.testdir()
  const storage = await fileStorage(folder)
  await storage.saveState({ domains: [domainOf(host)] })
  await storage.saveState({ domains: [domainOf(host), domainOf('help.shop.test')] })
  await storage.close()
  await writeFile(`${folder}/state.json`, '{"domains": [')

  const next = await fileStorage(folder)
  t.strictSame(await next.loadState(), { domains: [domainOf(host)] })
  t.match(await messageOf(() => next.saveState({ domains: [] })), /state.json cannot be used: .* read-only/)
  t.equal(await readFile(`${folder}/state.json`, 'utf8'), '{"domains": [')
  await next.close()
  await rm(`${folder}/state.json`)
  const repaired = await fileStorage(folder)
  t.teardown(repaired.close)
  t.strictSame(await repaired.loadState(), { domains: [domainOf(host)] })
  await repaired.saveState({ domains: [] })
  t.strictSame(await repaired.loadState(), { domains: [] })
})

t.test('a domain longer than a file name has files, too', async (t) => {
  const long = `${`${'a'.repeat(60)}.`.repeat(4)}shop.test`
  const folder = t.testdir()
  const storage = await fileStorage(folder)
  t.teardown(storage.close)
  await storage.saveSecret('certificate', long, 'CERTIFICATE')
  await storage.saveSecret('order', long, 'ORDER')
  t.strictSame(
    [await storage.loadSecret('certificate', long), await storage.loadSecret('order', long)],
    ['CERTIFICATE', 'ORDER'],
  )
})
