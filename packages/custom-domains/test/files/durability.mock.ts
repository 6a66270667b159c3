import * as files from 'node:fs/promises'
import t from 'tap'
import { volatileFiles } from 'test-kit/power-failure'
import { sha256 } from '../../src/files/records.ts'

const file = '/data/state.json'
const nothing = async () => {}
const lock = { number: 1, check: nothing, renew: nothing, release: nothing }
const mockOf = (fs: object) => ({ 'node:fs/promises': fs })

t.test('a power failure leaves the old file or the new one, and once it is replaced, the new one', async (t) => {
  const { fs, outcomes, survives } = volatileFiles({ [file]: 'old' })
  const replace = '../../src/files/replace.ts'
  const { replaceFile } = await t.mockImport<typeof import('../../src/files/replace.ts')>(replace, mockOf(fs))
  await replaceFile(file, 'new', lock)
  t.strictSame(outcomes(file).sort(), ['new', 'old'])
  t.equal(survives(file), 'new')
})

t.test('a record and a secret stay deleted after a power failure', async (t) => {
  const record = `/data/records/domain/${sha256('docs.shop.test').slice(0, 2)}/docs.shop.test.json`
  const secret = '/data/orders/docs.shop.test.json'
  const { fs, survives } = volatileFiles({ [record]: 'old', [secret]: 'old' })
  const mock = mockOf({ ...files, ...fs, mkdir: nothing })
  const module = '../../src/files/storage.ts'
  const { fileStorage } = await t.mockImport<typeof import('../../src/files/storage.ts')>(module, mock)
  const storage = await fileStorage('/data', { takeLock: async () => lock })
  await storage.save([{ kind: 'domain', name: 'docs.shop.test', value: undefined }], '', false)
  await storage.saveSecret('order', 'docs.shop.test', undefined)
  t.strictSame([survives(record), survives(secret)], [undefined, undefined])
})

t.test('the folders of a first record survive a power failure: each parent is synced', async (t) => {
  const { fs } = volatileFiles({})
  const synced = new Set<string>()
  const open = async (path: string, flags: string) => {
    const handle = await fs.open(path, flags)
    return { ...handle, sync: () => handle.sync().then(() => synced.add(path)) }
  }
  const mkdir = async (path: string) => (path.startsWith('/data/records') ? '/data/records' : undefined) // the first one made
  const mock = mockOf({ ...files, ...fs, open, mkdir })
  const module = '../../src/files/records.ts'
  const { writeRecord } = await t.mockImport<typeof import('../../src/files/records.ts')>(module, mock)
  await writeRecord('/data/records', { kind: 'domain', name: 'docs.shop.test', value: {} }, lock)
  for (const parent of ['/data', '/data/records', '/data/records/domain']) t.ok(synced.has(parent), parent)
})
