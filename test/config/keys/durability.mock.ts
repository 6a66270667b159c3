import t from 'tap'
import { volatileFiles } from 'test-kit/power-failure'

const file = '/data/keys'

t.test('a power failure leaves the old keys or the new ones, and once the command ends, the new ones', async (t) => {
  const { fs, outcomes, survives } = volatileFiles({ [file]: '# old\n' })
  const { editKeyFile } = await t.mockImport<typeof import('../../../config/keys/edit.ts')>(
    '../../../config/keys/edit.ts',
    { 'node:fs/promises': fs },
  )
  await editKeyFile(file, () => [{ text: '# new' }])
  t.strictSame(outcomes(file).sort(), ['# new\n', '# old\n'])
  t.equal(survives(file), '# new\n')
})
