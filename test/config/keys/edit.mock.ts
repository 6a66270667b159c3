import * as fs from 'node:fs/promises'
import t, { type Test } from 'tap'

const denied = () => Promise.reject(Object.assign(new Error('disabled'), { code: 'ERR_ACCESS_DENIED' }))
const forbidden = () => Promise.reject(Object.assign(new Error('not permitted'), { code: 'EPERM' }))

/** The editor where the folder belongs to root, under Node's permission model or without it. */
async function editorOf(t: Test, isLimited: boolean) {
  async function open(...given: Parameters<typeof fs.open>) {
    const handle = await fs.open(...given)
    const { uid, gid, mode } = await handle.stat()
    const stat = async () => ({ uid: uid + 1, gid, mode })
    return Object.assign(handle, { stat, ...(isLimited ? { chown: denied, chmod: denied } : { chown: forbidden }) })
  }
  const file = '../../../config/keys/edit.ts'
  const mocked = { 'node:fs/promises': { ...fs, lchown: forbidden, open } }
  return (await t.mockImport<typeof import('../../../config/keys/edit.ts')>(file, mocked)).editKeyFile
}

for (const isLimited of [true, false]) {
  const where = isLimited ? " under Node's permission model" : ''
  t.test(`a key file is created in a folder of another user${where}, and a foreign one is not replaced`, async (t) => {
    const editKeyFile = await editorOf(t, isLimited)
    const file = `${t.testdir({})}/keys`
    await editKeyFile(file, () => [{ text: '# new' }])
    t.equal(await fs.readFile(file, 'utf8'), '# new\n')
    const replacing = editKeyFile(file, () => [{ text: '# newer' }])
    await t.rejects(replacing, { code: 'EPERM' })
    t.equal(await fs.readFile(file, 'utf8'), '# new\n')
  })
}
