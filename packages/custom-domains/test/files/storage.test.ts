import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { messageOf } from 'test-kit/message'
import { deferred } from 'test-kit/until'
import { lockFolder } from '../../src/files/lock.ts'
import { inChunks } from '../../src/files/records.ts'
import { type FileStorageOptions, fileStorage } from '../../src/files/storage.ts'
import { BrokenStateError, type DomainStorage } from '../../src/state/storage.ts'
import { domainOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const other = 'other.shop.test'
const recordOf = (name: string) => ({ kind: 'domain', name, value: domainOf(name) }) as const
const primary = { kind: 'primary', name: '', value: host } as const
const hostsOf = async (storage: Pick<DomainStorage, 'load'>) =>
  (await storage.load()).records.flatMap(({ kind, name }) => (kind === 'domain' ? name : [])).sort()

/** The files of the records, below the folder. */
async function recordFiles(folder: string): Promise<string[]> {
  const names = await readdir(`${folder}/records`, { recursive: true })
  return names.filter((name) => name.endsWith('.json')).sort()
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

async function opened(t: Test, folder: string, options?: FileStorageOptions) {
  const storage = await fileStorage(folder, options)
  t.teardown(storage.close)
  return storage
}

t.test('files and folders are private to their owner', async (t) => {
  const folder = `${t.testdir()}/data`
  const storage = await opened(t, folder)
  await storage.save([recordOf(host), primary], '')
  await storage.saveSecret('certificate', host, 'CERTIFICATE')
  await storage.saveSecret('order', host, 'ORDER')
  await storage.replaceSecret('account', 'https://ca.test', undefined, 'KEY')
  const [account] = await readdir(`${folder}/accounts`)
  const [record = ''] = await recordFiles(folder)
  t.match(record, /^domain\/[0-9a-f]{2}\/docs.shop.test.json$/)
  const folders = ['', 'certificates', 'orders', 'accounts', 'records', 'records/domain', `records/${dirname(record)}`]
  for (const path of folders) t.equal(await modeOf(`${folder}/${path}`), '700', path)
  const files = [`certificates/${host}.pem`, `orders/${host}.json`, `accounts/${account}`, 'lock-1']
  for (const file of [`records/${record}`, 'domains.json', ...files])
    t.equal(await modeOf(`${folder}/${file}`), '600', file)
})

t.test('the configuration may be in another folder, where nothing else is touched', async (t) => {
  const mine = { 'mine.json': '{"domains":{"primary":"docs.shop.test"}}', 'mine.json.3.part': '' }
  const dir = t.testdir({ ...mine, 'download.part': 'mine' })
  const storage = await opened(t, `${dir}/data`, { configurationFile: `${dir}/mine.json` })
  t.strictSame((await storage.load()).records, [primary])
  await storage.save([{ ...primary, value: 'new.shop.test' }], '')
  t.match(JSON.parse(await readFile(`${dir}/mine.json`, 'utf8')), { domains: { primary: 'new.shop.test' } })
  t.equal(await readFile(`${dir}/download.part`, 'utf8'), 'mine')
  t.strictSame(await readdir(dir), ['data', 'download.part', 'mine.json'])
})

t.test('the temporary files of a killed process are removed at the start', async (t) => {
  const folder = t.testdir({
    'batch.json.3.part': '{"cha',
    records: { domain: { '00': { [`${host}.json.3.part`]: '{"na' } } },
    certificates: { [`${host}.pem.part`]: 'CERT' },
    accounts: { 'a.pem.part': '' },
  })
  const storage = await opened(t, folder)
  t.strictSame(await hostsOf(storage), [])
  t.strictSame(await readdir(folder), ['accounts', 'certificates', 'lock-1', 'orders', 'records'])
  t.strictSame(await readdir(`${folder}/records/domain/00`), [])
  t.strictSame([await readdir(`${folder}/certificates`), await readdir(`${folder}/accounts`)], [[], []])
})

t.test('one damaged record is named, and left alone; the others are loaded', async (t) => {
  const folder = t.testdir()
  const storage = await opened(t, folder)
  await storage.save([host, other, 'third.shop.test'].map(recordOf), '')
  const [first = '', second = ''] = (await recordFiles(folder)).filter((name) => !name.includes('third'))
  const damage = { [first]: '{"name":', [second]: '{"name":"x"}', 'domain/00/moved.json': '{"name":"x","value":1}' }
  await mkdir(`${folder}/records/domain/00`, { recursive: true })
  for (const [file, text] of Object.entries(damage)) await writeFile(`${folder}/records/${file}`, text)
  await mkdir(`${folder}/records/unknown/00`, { recursive: true })
  await writeFile(`${folder}/records/unknown/00/x.json`, '{"name":"x","value":1}')
  const { records } = await storage.load()
  const found = Object.fromEntries(records.map(({ name, value, fault }) => [name, fault ?? value]))
  t.match(found, {
    [basename(first, '.json')]: /JSON/,
    [basename(second, '.json')]: 'it has no name, or no value',
    moved: 'it is the record of x',
    'third.shop.test': { state: 'added' },
  })
  t.equal(records.length, 4, 'without those of a newer server')
  for (const [file, text] of Object.entries(damage)) t.equal(await readFile(`${folder}/records/${file}`, 'utf8'), text)
  await storage.save([recordOf(host)], '')
  t.equal(await readFile(`${folder}/records/${first}.damaged`, 'utf8'), damage[first], 'kept for a repair')
  t.strictSame(await hostsOf(storage), ['docs.shop.test', 'moved', 'other.shop.test', 'third.shop.test'])
})

t.test('a configuration that cannot be read stops the start', async (t) => {
  const storage = await opened(t, t.testdir({ 'domains.json': 'domains: none' }))
  t.match(await messageOf(storage.load), /domains.json is not JSON: /)
})

t.test('a save of several records that was interrupted is completed at the next start', async (t) => {
  const changes = [recordOf(host), primary, { kind: 'domain', name: other }]
  const folder = t.testdir({ 'batch.json': JSON.stringify({ changes }) })
  const storage = await opened(t, folder)
  t.strictSame(await hostsOf(storage), [host])
  t.match(JSON.parse(await readFile(`${folder}/domains.json`, 'utf8')), { domains: { primary: host } })
  t.equal((await recordFiles(folder)).length, 1)
  await t.rejects(stat(`${folder}/batch.json`), { code: 'ENOENT' })
  for (const damaged of ['{"chan', 'null', '{"changes":{}}']) {
    await writeFile(`${folder}/batch.json`, damaged)
    t.ok((await storage.load().catch((error) => error)) instanceof BrokenStateError)
    t.equal(await readFile(`${folder}/batch.json`, 'utf8'), damaged)
  }
})

t.test('a save that fails leaves no write behind, which would replace that of a later save', async (t) => {
  const { promise, resolve } = deferred<void>()
  const events: string[] = []
  const write = (name: string) => (name === 'fails' ? Promise.reject(new Error(name)) : promise)
  const rejected = inChunks(['fails', 'is late'], write).catch(({ message }) => events.push(message))
  await setImmediate()
  events.push('is late')
  resolve()
  await rejected
  t.strictSame(events, ['is late', 'fails'])
})

t.test('a secret that cannot be read is an error', async (t) => {
  const folder = t.testdir()
  const storage = await opened(t, folder)
  await mkdir(`${folder}/certificates/${host}.pem`)
  await t.rejects(storage.loadSecret('certificate', host), { code: 'EISDIR' })
})

/** A disk that is full until it has space. */
function fullDisk() {
  const disk = { isFull: true }
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  return { disk, takeLock: (folder: string) => (disk.isFull ? Promise.reject(error) : lockFolder(folder)) }
}

t.test('a full disk can be read, and is written to once it has space', async (t) => {
  const batch = JSON.stringify({ changes: [recordOf(host), primary] })
  const folder = t.testdir({ 'batch.json': batch, certificates: { [`${host}.pem`]: 'CERTIFICATE' } })
  const { disk, takeLock } = fullDisk()
  const storage = await fileStorage(folder, { takeLock })
  t.strictSame(await hostsOf(storage), [host], 'although the batch cannot be completed')
  t.equal(await storage.loadSecret('certificate', host), 'CERTIFICATE')
  const unsaved = await messageOf(() => storage.save([recordOf(other)], ''))
  t.equal(unsaved, `${folder} cannot be written: ENOSPC: no space left on device`)
  await storage.close()
  disk.isFull = false
  await storage.save([recordOf(other)], '')
  t.equal((await recordFiles(folder)).length, 2)
  await storage.close()
})

t.test('a disk that rejects writes for another reason can be read as well', async (t) => {
  for (const code of ['EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO']) {
    const takeLock = () => Promise.reject(Object.assign(new Error(code), { code }))
    t.strictSame(await hostsOf(await fileStorage(t.testdir(), { takeLock })), [], code)
  }
})

t.test('a server that could not lock the folder at its start overwrites nothing of another', async (t) => {
  const folder = t.testdir()
  const { disk, takeLock } = fullDisk()
  const storage = await fileStorage(folder, { takeLock })
  const one = await fileStorage(folder)
  await one.save([recordOf(host)], '')
  disk.isFull = false
  const save = () => storage.save([{ ...recordOf(host), value: undefined }], '')
  t.match(await messageOf(save), `${folder} is in use by process ${process.pid}`)
  await one.close()
  for (const _try of [1, 2])
    t.equal(await messageOf(save), `another server has used ${folder} since this one read it: restart this one`)
  t.equal((await recordFiles(folder)).length, 1)
})

t.test('an error other than of the disk stops the start', async (t) => {
  const folder = t.testdir({ data: '' })
  await t.rejects(fileStorage(`${folder}/data`), { code: 'EEXIST' })
})

t.test('a process that has lost the lock deletes nothing', async (t) => {
  const folder = t.testdir()
  const storage = await opened(t, folder)
  await storage.saveSecret('order', host, 'ORDER')
  await writeFile(`${folder}/lock-2`, '')
  await t.rejects(storage.saveSecret('order', host, undefined), { message: /^another server has taken over/ })
  t.equal(await storage.loadSecret('order', host), 'ORDER')
})
