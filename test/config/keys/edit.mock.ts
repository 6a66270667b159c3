import * as fs from 'node:fs/promises'
import t, { type Test } from 'tap'

const denied = () => Promise.reject(Object.assign(new Error('disabled'), { code: 'ERR_ACCESS_DENIED' }))
const forbidden = () => Promise.reject(Object.assign(new Error('not permitted'), { code: 'EPERM' }))

/** The editor where the folder belongs to root, under Node's permission model or without it. */
async function editorOf(t: Test, isLimited: boolean) {
  const lchown = forbidden
  const { editKeyFile } = await t.mockImport<typeof import('../../../config/keys/edit.ts')>(
    '../../../config/keys/edit.ts',
    {
      'node:fs/promises': {
        ...fs,
        lchown,
        open: async (...given: Parameters<typeof fs.open>) => {
          const handle = await fs.open(...given)
          const { uid, gid, mode } = await handle.stat()
          return Object.assign(handle, {
            stat: async () => ({ uid: uid + 1, gid, mode }),
            ...(isLimited ? { chown: denied, chmod: denied } : { chown: forbidden }),
          })
        },
      },
    },
  )
  return editKeyFile
}

for (const isLimited of [true, false]) {
  const where = isLimited ? " under Node's permission model" : ''
  t.test(`a key file is created in a folder of another user${where}, and a foreign one is not replaced`, async (t) => {
    const editKeyFile = await editorOf(t, isLimited)
    const file = `${t.testdir({})}/keys`
    await editKeyFile(file, () => [{ text: '# new' }])
    t.equal(await fs.readFile(file, 'utf8'), '# new\n')
    await t.rejects(
      editKeyFile(file, () => [{ text: '# newer' }]),
      { code: 'EPERM' },
    )
    t.equal(await fs.readFile(file, 'utf8'), '# new\n')
  })
}
