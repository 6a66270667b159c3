import * as fs from 'node:fs/promises'
import * as timers from 'node:timers/promises'
import t, { type Test } from 'tap'
import { volatileFiles } from 'test-kit/power-failure'

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
  return editorWith(t, { ...fs, lchown: forbidden, open })
}

async function editorWith(t: Test, files: object) {
  const [module, mocked] = ['../../../config/keys/edit.ts', { 'node:fs/promises': files }]
  return (await t.mockImport<typeof import('../../../config/keys/edit.ts')>(module, mocked)).editKeyFile
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

t.test('a power failure leaves the old keys or the new ones, and once the command ends, the new ones', async (t) => {
  const file = '/data/keys'
  const { fs, outcomes, survives } = volatileFiles({ [file]: '# old\n' })
  const editKeyFile = await editorWith(t, fs)
  await editKeyFile(file, () => [{ text: '# new' }])
  t.strictSame(outcomes(file).sort(), ['# new\n', '# old\n'])
  t.equal(survives(file), '# new\n')
})

t.test('a command waits five seconds for another one', async (t) => {
  const pauses: number[] = []
  const setTimeout = async (ms: number) => void pauses.push(ms)
  const [module, mocked] = ['../../../config/keys/edit.ts', { 'node:timers/promises': { ...timers, setTimeout } }]
  const { editKeyFile } = await t.mockImport<typeof import('../../../config/keys/edit.ts')>(module, mocked)
  const file = `${t.testdir({ 'keys.new': '' })}/keys`
  const editing = editKeyFile(file, (lines) => lines)
  await t.rejects(editing, { message: /^another command is changing the keys\./ })
  t.strictSame(pauses, Array(100).fill(50))
})
