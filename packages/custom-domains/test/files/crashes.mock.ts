// Kills and full disks at every step of a save, in random orders: each save is applied as a whole, or not at all.
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { fc, longTest, runsOf } from 'test-kit/properties'
import { responds } from 'test-kit/until'
import { parseConfiguration } from '../../src/state/configuration.ts'
import type { RecordChange } from '../../src/state/storage.ts'

/** How many steps are left until the process is killed, or the disk is full. */
const disk = { left: Number.POSITIVE_INFINITY, isKilled: false }

function step() {
  if (disk.left-- > 0) return
  throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
}

type Change = (...given: never[]) => Promise<unknown>
const counted =
  <Function extends Change>(change: Function) =>
  async (...given: Parameters<Function>) => {
    if (disk.isKilled && disk.left <= 0) throw new Error('the process is gone')
    step()
    return change(...given)
  }

const failing = {
  ...fs,
  writeFile: async (path: string, text: string) => {
    step()
    await fs.writeFile(path, text.slice(0, text.length / 2))
    step()
    await fs.writeFile(path, text)
  },
  open: async () => ({ sync: async () => {}, close: async () => {} }),
  rename: counted(fs.rename),
  rm: counted(fs.rm),
  mkdir: counted(fs.mkdir as Change),
}

const lock = { number: 1, check: async () => {}, renew: async () => {}, release: async () => {} }
const names = ['a.shop.test', 'b.shop.test', 'c.shop.test']

const change: fc.Arbitrary<RecordChange> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('challenge', 'account'),
    name: fc.constantFrom(...names),
    value: fc.option(fc.nat(9), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('primary'), name: fc.constant(''), value: fc.constantFrom(...names) }),
)
const changes = fc.uniqueArray(change, { maxLength: 4, selector: ({ kind, name }) => `${kind} ${name}` })
const save = fc.record({ changes, steps: fc.nat(14), end: fc.constantFrom('nothing', 'kill', 'full') })
const saves = fc.array(save, { minLength: 1, maxLength: 8 })

const shownOf = (records: readonly RecordChange[]) =>
  Object.fromEntries(records.map(({ kind, name, value }) => [`${kind} ${name}`, value]))

const after = (shown: Record<string, unknown>, changes: readonly RecordChange[]) =>
  Object.fromEntries(Object.entries({ ...shown, ...shownOf(changes) }).filter(([, value]) => value !== undefined))

t.test('a save is applied as a whole or not at all, and one that was reported is applied', longTest(), async (t) => {
  const { fileStorage, storedRecords } = await t.mockImport<typeof import('../../src/files/storage.ts')>(
    '../../src/files/storage.ts',
    { 'node:fs/promises': failing },
  )
  const base = t.testdir()
  let runs = 0
  const heal = () => Object.assign(disk, { left: Number.POSITIVE_INFINITY, isKilled: false })
  await t.resolves(
    fc.assert(
      fc.asyncProperty(saves, async (saves) => {
        const open = (folder: string) => fileStorage(folder, { takeLock: async () => lock })
        const folder = `${base}/${runs++}`
        let storage = await open(folder)
        let shown = shownOf((await storage.load()).records)
        for (const { changes, steps, end } of saves) {
          if (end !== 'nothing') Object.assign(disk, { left: steps, isKilled: end === 'kill' })
          const isSaved = await responds(storage.save(changes, ''))
          heal()
          const found = shownOf(await storedRecords(folder))
          const next = after(shown, changes)
          assert.deepEqual(found, isSaved || isDeepStrictEqual(found, next) ? next : shown)
          shown = found
          if (end === 'kill') {
            storage = await open(folder)
            await storage.load()
          }
        }
        await storage.save([], '')
        assert.deepEqual(shownOf((await (await open(folder)).load()).records), shown)
        const text = await fs.readFile(`${folder}/domains.json`, 'utf8').catch(() => '{"domains":{}}')
        const { roles } = parseConfiguration(text, 'the file')
        assert.equal(roles.get('primary'), shown['primary '], 'the configuration file is complete')
        const left = (await fs.readdir(folder, { recursive: true })).filter((name) => /batch|\.part$/.test(name))
        assert.deepEqual(left, [])
      }),
      { numRuns: runsOf(15) },
    ),
  )
})
