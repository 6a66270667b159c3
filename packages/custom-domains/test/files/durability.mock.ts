import t from 'tap'
import { volatileFiles } from 'test-kit/power-failure'

const file = '/data/state.json'

t.test('a power failure leaves the old file or the new one, and once it is replaced, the new one', async (t) => {
  const { fs, outcomes, survives } = volatileFiles({ [file]: 'old' })
  const { replaceFile } = await t.mockImport<typeof import('../../src/files/replace.ts')>(
    '../../src/files/replace.ts',
    { 'node:fs/promises': fs },
  )
  await replaceFile(file, 'new', { number: 7, check: async () => {} })
  t.strictSame(outcomes(file).sort(), ['new', 'old'])
  t.equal(survives(file), 'new')
})
